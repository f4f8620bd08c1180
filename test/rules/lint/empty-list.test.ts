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
])('a rule that reads an empty list is reported as such: %s', (code, condition, message) => {
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

const mx = (value: boolean) => `{ fact: domain.has_mx, operator: equal, value: ${value} }`;

it.each([
  [`{ all: [${looked('not_in_list')}, ${mx(true)}, ${mx(false)}] }`, 'contradicts itself'],
  [`{ any: [${looked('in_list')}, ${mx(true)}, { not: ${mx(true)} }] }`, 'is true for every address'],
  [`{ any: [${mx(true)}, { all: [${mx(true)}, ${looked('not_in_list')}] }] }`, 'says it already'],
])('an empty list is not named where it is not the cause: %s', (conditions, cause) => {
  const rules = group('a', { r: `${points(20)}, conditions: ${conditions}` });
  const { problems } = lint({ 'a.yaml': rules, 'lists/partners.txt': '# nobody yet\n' });
  const told = problems.map(({ message }) => message).join('\n');
  expect(told).toContain(cause);
  expect(told).not.toContain(EMPTY);
});
