import { expect, it } from 'vitest';
import { compareLedgers } from '../../../dashboard/src/pages/rules/effect/compare-ledgers.ts';

it('two ledgers of one check are shown side by side, line by line', () => {
  const rule = (id: string, points: number) => ({ kind: 'rule' as const, id, group: 'a', points, saw: {} });
  expect(
    compareLedgers(
      [rule('a', 30), rule('gone', 10), { kind: 'action', id: null, points: 0, action: 'ALLOW', saw: {} }],
      [
        rule('a', 45),
        rule('new', 20),
        { kind: 'absorbed', id: 'a', by: 'new', points: -45 },
        { kind: 'cap', group: 'a', max_score: 50, points: -5 },
        { kind: 'stood_aside', id: 'b', points: 0, unknown: ['x'] },
        { kind: 'action', id: 'block', points: 0, action: 'BLOCK', saw: {} },
      ],
    ),
  ).toEqual([
    { name: 'a', before: 30, after: 45 },
    { name: 'gone', before: 10, after: null },
    { name: 'new', before: null, after: 20 },
    { name: 'a, absorbed by new', before: null, after: -45 },
    { name: 'cap of a', before: null, after: -5 },
    { name: 'action', before: 'ALLOW', after: 'BLOCK' },
  ]);
});
