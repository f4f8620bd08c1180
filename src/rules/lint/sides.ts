import type { Rule } from '../definitions.ts';
import { isRolledOut, type RolledOutRule } from '../rollout.ts';
import type { ReadableFact, ReadableFacts } from './context.ts';

/** The same for rules that are rolled out to the same people. */
function sideOf({ rollout: { percent, salt } }: RolledOutRule): string {
  return `rollout ${percent} ${salt}`;
}

/** Facts, and for each rollout whether a person is inside: known of everyone, and told by no other fact. */
export function withSides(facts: ReadableFacts, rules: readonly Rule[]): ReadableFacts {
  const sides = rules
    .filter(isRolledOut)
    .map((rule): ReadableFact => ({ id: sideOf(rule), type: 'boolean', never_unknown: true }));
  return new Map([...facts, ...sides.map((side) => [side.id, side] as const)]);
}

/**
 * The rule as it fires beside others: one that is rolled out only inside, so that nothing is taken to be covered, absorbed or
 * crowded out by it for everyone.
 */
export function onItsSide(rule: Rule): Rule {
  if (!isRolledOut(rule)) return rule;
  const isInside = { fact: sideOf(rule), operator: 'equal', value: true } as const;
  return { ...rule, condition: { all: [isInside, rule.condition] }, reads: [...rule.reads, isInside.fact] };
}
