import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Refusals } from '../../../dashboard/src/pages/rules/publish/refusals.tsx';
import type { Tests } from '../../../dashboard/src/pages/rules/queries.ts';

const shown = (part: Partial<Tests>) => {
  const tests: Tests = { problems: [], failing: [], passed: 0, refusals: ['no'], ruleset: null, ...part };
  return renderToStaticMarkup(createElement(MantineProvider, null, createElement(Refusals, { tests })));
};

it('refusals show how many tests pass, where tests were run', () => {
  expect(shown({ passed: 3 })).toContain('3 tests pass. Mend the rules');
  const problem = {
    code: 'x',
    column: 1,
    end_column: 2,
    end_line: 1,
    file: 'a.yaml',
    line: 1,
    fix: null,
    hint: null,
  } as const;
  const unread = shown({ problems: [{ ...problem, message: 'no', severity: 'error' }] });
  expect(unread).toContain('Mend the rules');
  expect(unread).not.toContain('tests pass');
});
