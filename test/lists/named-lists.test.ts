import { expect, it } from 'vitest';
import { describeNamedLists } from '../../src/lists/named-lists.ts';
import { MOST_ENTRIES } from '../../src/rules/named-list.ts';
import { catalogue } from '../rules/catalogue.ts';
import { DECISION } from '../rules/rules-directory.ts';

it('a list with as many entries as a text file may have is described as any other', () => {
  const lines = Array.from({ length: MOST_ENTRIES.txt }, (_, number) => `d${number}.example\n`);
  const files = { 'decision.yaml': DECISION, 'lists/long.txt': lines.join('') };
  const [list] = describeNamedLists(files, catalogue, Date.parse('2026-11-20'));
  expect(list).toMatchObject({ name: 'long', entries: MOST_ENTRIES.txt, expired: 0, next_end: null });
});
