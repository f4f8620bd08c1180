import { expect, it } from 'vitest';
import { describeFacts, describeRules, FACTS } from '../../bench/decision/description.ts';

it('makes the same rules and facts in every run, and a short set is a prefix of a long one', () => {
  expect(describeRules(40)).toEqual(describeRules(150).slice(0, 40));
  expect(describeFacts(10)).toEqual(describeFacts(10));
});

it('compares only facts that every set of facts contains', () => {
  const read = describeRules(150).flatMap(({ when }) => when.map(({ fact }) => fact));
  const [facts = {}] = describeFacts(1);
  expect(read.filter((fact) => !(fact in facts))).toEqual([]);
  expect(Object.keys(facts).sort()).toEqual(Object.values(FACTS).flat().sort());
});

it('gives each rule an id of its own and at least one comparison', () => {
  const rules = describeRules(150);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(150);
  expect(rules.filter(({ when }) => when.length === 0)).toEqual([]);
});
