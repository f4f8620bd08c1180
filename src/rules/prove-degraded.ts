import type { FactValue } from '../provider-kit/index.ts';
import type { CataloguedFact, FactCatalogue } from '../signals/signals.ts';
import { literalsOf } from './conditions.ts';
import type { Facts } from './decision.ts';
import { canBeUnknown } from './described-facts.ts';
import { quickTally } from './kleene.ts';
import { BUCKET_FACT, ROLLOUT_BUCKET } from './rollout.ts';
import type { RuleSet } from './rule-set.ts';
import { totalOf } from './score.ts';
import { tellingValues } from './telling-values.ts';

/** A fact, its values where it is known, and its settings: these values, and null where the fact can be unknown. */
type Column = ReturnType<typeof columnsOf>[number];

/**
 * Every combination of the columns' settings, counted from 0 with each column a digit. Where there are more than `most`, a sample of `most`
 * by Numerical Recipes' linear congruential generator: the sample must be the same on every machine, not unguessable.
 */
function* combinations(columns: readonly Column[], total: number, most: number): Iterable<Facts> {
  let state = 1;
  for (let number = 0; number < Math.min(total, most); number += 1) {
    let rest = number;
    const facts: Record<string, Facts[string]> = {};
    for (const { id, settings } of columns) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      // Take the upper bits of the state: the lower bits of this generator repeat soon.
      const at = total <= most ? rest % settings.length : Math.floor((state / 2 ** 32) * settings.length);
      facts[id] = settings[at] ?? null;
      rest = Math.floor(rest / settings.length);
    }
    yield facts;
  }
}

/** A fact that was unknown, and a value it could have had with which its group would have counted less. */
export interface DegradedBreach {
  readonly group: string;
  /** The facts that the group reads; null where unknown. */
  readonly facts: Facts;
  readonly fact: string;
  readonly value: FactValue;
  /** Points of the group, under its cap, with the fact unknown. */
  readonly pointsWithout: number;
  readonly pointsWith: number;
}

export type DegradedProof = ReturnType<typeof proveDegraded>;

/** The most cases tried for a group, at some 3 µs each; the shipped groups have fewer. */
const MOST_CASES = 200_000;
const MOST_BREACHES = 5;

/**
 * Checks the promise that an unknown fact never raises the score: for every set of facts with some of them unknown,
 * each unknown fact in turn gets every value that a rule can tell apart. One fact at a time is enough: several facts
 * become known one after the other. One group at a time is enough: the score is the sum of the groups' points, kept
 * within bounds, so it cannot fall where no group falls.
 *
 * Lint refuses each rule that could break the promise; the proof tests the rules together, and catches what lint overlooks.
 */
export function proveDegraded(ruleSet: RuleSet, catalogue: FactCatalogue, mostCases = MOST_CASES) {
  const groups = Map.groupBy(ruleSet.points, ({ group }) => group);
  const proofs = [...groups].map(([group, rules]) =>
    proveGroup(group, { ...ruleSet, points: rules }, catalogue, mostCases),
  );
  return {
    // Sets of facts tried, over all groups, each with at least one unknown fact.
    cases: proofs.reduce((sum, { cases }) => sum + cases, 0),
    // Whether every set was tried, up to values that no rule tells apart; else some group was sampled, the same way each time.
    isComplete: proofs.every(({ isComplete }) => isComplete),
    // The facts that rules read and that can be unknown.
    facts: [...new Set(proofs.flatMap(({ facts }) => facts))].sort(),
    breaches: proofs.flatMap(({ breaches }) => breaches).slice(0, MOST_BREACHES),
  };
}

type GroupRules = Pick<RuleSet, 'points' | 'caps' | 'constants'>;

function proveGroup(group: string, rules: GroupRules, catalogue: FactCatalogue, mostCases: number) {
  const columns = columnsOf(rules, catalogue);
  const open = columns.filter(({ isOpen }) => isOpen);
  // The sum of the group's negative points: no value can bring the group below it.
  const least = rules.points.reduce((sum, { points }) => sum + Math.min(points, 0), 0);
  const breaches: DegradedBreach[] = [];
  let cases = 0;
  const total = columns.reduce((product, { settings }) => product * settings.length, 1);
  const isComplete = total <= mostCases;
  for (const facts of combinations(columns, total, mostCases)) {
    const unknown = open.filter(({ id }) => facts[id] === null);
    if (unknown.length === 0) continue;
    cases += 1;
    const pointsWithout = totalOf(quickTally(rules, facts));
    if (pointsWithout === least) continue;
    for (const { id, values } of unknown) {
      for (const value of values) {
        const pointsWith = totalOf(quickTally(rules, { ...facts, [id]: value }));
        if (pointsWith >= pointsWithout || breaches.length === MOST_BREACHES) continue;
        breaches.push({ group, facts, fact: id, value, pointsWithout, pointsWith });
      }
    }
  }
  return { cases, isComplete, facts: open.map(({ id }) => id), breaches };
}

type Readable = Pick<CataloguedFact, 'id' | 'type' | 'values' | 'never_unknown' | 'disabled'>;

function columnsOf({ points, constants }: GroupRules, catalogue: FactCatalogue) {
  const literals = points.flatMap(({ condition }) => literalsOf(condition));
  const read = points.flatMap(({ reads }) => reads);
  return [...new Set(read)].sort().flatMap((id) => {
    const fact: Readable | undefined = id === ROLLOUT_BUCKET ? BUCKET_FACT : catalogue.facts.get(id);
    if (!fact) return [];
    const values = fact.disabled ? [] : tellingValues(fact, literals, constants);
    const isOpen = canBeUnknown(fact);
    const settings: readonly Facts[string][] = isOpen ? [...values, null] : values;
    return [{ id, values, isOpen, settings }];
  });
}
