import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../../src/rules/compile.ts';
import { lintRules } from '../../src/rules/lint/lint-rules.ts';
import { LONGEST_INLINE_LIST } from '../../src/rules/lint/read-operand.ts';
import { PROBLEM_SEVERITIES } from '../../src/rules/problem.ts';
import { runRuleTests } from '../../src/rules/rule-tests.ts';
import { catalogue } from './catalogue.ts';
import { NOW, reachingDirectory } from './rules-directory.ts';

const text = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8');
const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');

describe('docs/rules.md', () => {
  it('has a paragraph for each code of lint, with its severity, and for no other', () => {
    const entries = [...text.matchAll(/^- `([a-z_]+)`( \(warning\))? [A-Z`].{20,}$/gm)];
    const documented = entries.map(([, code, warning]) => [code, warning ? 'warning' : 'error']);
    expect(Object.fromEntries(documented)).toEqual(PROBLEM_SEVERITIES);
    expect(documented).toHaveLength(Object.keys(PROBLEM_SEVERITIES).length);
  });

  it('shows a group that passes lint and its own tests', async () => {
    const [rules, tests] = blocks;
    const { problems, definitions } = lintRules(
      reachingDirectory({ 'hosting.yaml': rules, 'tests/hosting.yaml': tests }),
      catalogue,
      { now: NOW },
    );
    expect(problems).toEqual([]);
    if (!definitions) return;
    const shown = definitions.tests.filter(({ place }) => place.file.endsWith('hosting.yaml'));
    const report = await runRuleTests(compileRuleSet(definitions, catalogue, NOW), shown, catalogue);
    expect(report.results.flatMap(({ failures }) => failures)).toEqual([]);
    expect(report.passed).toBe(4);
  });

  it('names the length of an inline list that the code holds to', () => {
    expect(text).toContain(`up to ${LONGEST_INLINE_LIST} for`);
  });
});
