import { expect, it } from 'vitest';
import { group, lint, points, when } from '../rules-directory.ts';

const EMPTY = 'the list partners is empty (none of its entries is in force)';
const looked = (operator: string) => `{ fact: address.domain, operator: ${operator}, value: partners }`;
const other = '{ fact: address.domain, operator: equal, value: example.org }';

it.each([
  ['never_true', when(looked('in_list')), `${EMPTY}: the condition of r is never true`],
  ['always_true', when(looked('not_in_list')), `${EMPTY}: the condition of r is true for every address`],
  [
    'subsumed_condition',
    `conditions: { any: [${looked('in_list')}, ${other}] }`,
    `"address.domain in_list partners" makes no difference to r: ${EMPTY}`,
  ],
  [
    'subsumed_condition',
    `conditions: { at_least: { count: 2, of: [${looked('in_list')}, ${other}, { fact: domain.has_mx, operator: equal, value: false }] } }`,
    `"address.domain in_list partners" makes no difference to r: ${EMPTY}`,
  ],
])('a rule that looks into an empty list is told of as such: %s', (code, condition, message) => {
  for (const list of [
    { 'lists/partners.txt': '# nobody yet\n' },
    { 'lists/partners.yaml': 'entries: [{ value: example.org, expires: 2001-01-01 }]\n' },
  ]) {
    const { problems } = lint({ 'a.yaml': group('a', { r: `${points(20)}, ${condition}` }), ...list });
    expect(problems.filter((problem) => problem.code === code).map((problem) => problem.message)).toEqual([
      message,
    ]);
  }
});
