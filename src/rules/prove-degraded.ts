import type { FactValue } from '../provider-kit/index.ts';
import type { CataloguedFact, FactCatalogue } from '../signals/signals.ts';
import { literalsOf } from './conditions.ts';
import type { Facts } from './decision.ts';
import { canBeUnknown } from './described-facts.ts';
import { quickTally } from './kleene.ts';
import { ROLLOUT_BUCKET } from './rollout.ts';
import type { RuleSet } from './rule-set.ts';
import { totalOf } from './score.ts';
import { tellingValues } from './telling-values.ts';

/** A fact, what it can be where it is known, and all that it is to be set to in turn. */
type Column = ReturnType<typeof columnsOf>[number];

/**
 * Every combination of the columns' settings, counted from 0 with each column a digit; where there are more than `most`, so many drawn by
 * Numerical Recipes' linear congruential generator: a sample must be the same on every machine, not unguessable.
 */
function* combinations(columns: readonly Column[], total: number, most: number): Iterable<Facts> {
  let state = 1;
  for (let number = 0; number < Math.min(total, most); number += 1) {
    let rest = number;
    const facts: Record<string, Facts[string]> = {};
    for (const { id, settings } of columns) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      // Of the state the upper bits: the lower ones of such a generator repeat soon.
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
  /** What was known of what the group reads, and null for all that was not. */
  readonly facts: Facts;
  readonly fact: string;
  readonly value: FactValue;
  /** Of the group, under its cap. */
  readonly pointsWithout: number;
  readonly pointsWith: number;
}

export type DegradedProof = ReturnType<typeof proveDegraded>;

/** Cases looked at for a group, at some 3 µs each; the shipped groups have fewer. */
const MOST_CASES = 200_000;
const MOST_BREACHES = 5;

/**
 * Holds a rule set to the promise that what is unknown never raises the score: for every set of facts with some of
 * them unknown, each of these in turn is given every value that a rule can tell apart. To look one fact ahead is
 * enough: any number of them becomes known one after the other. And to look at one group at a time is enough: the score
 * is the sum of what the groups count, kept within bounds, and rises with none of them falling.
 *
 * Lint refuses what could break the promise, rule by rule; this looks at the whole, and at what lint may overlook.
 */
export function proveDegraded(ruleSet: RuleSet, catalogue: FactCatalogue, mostCases = MOST_CASES) {
  const groups = Map.groupBy(ruleSet.points, ({ group }) => group);
  const proofs = [...groups].map(([group, rules]) =>
    proveGroup(group, { ...ruleSet, points: rules }, catalogue, mostCases),
  );
  return {
    // Sets of facts looked at, group by group, in each of which something is unknown.
    cases: proofs.reduce((sum, { cases }) => sum + cases, 0),
    // Whether that was all there are, up to values that no rule tells apart; else, of some group, a sample, the same each time.
    isComplete: proofs.every(({ isComplete }) => isComplete),
    // That rules read and that can be unknown.
    facts: [...new Set(proofs.flatMap(({ facts }) => facts))].sort(),
    breaches: proofs.flatMap(({ breaches }) => breaches).slice(0, MOST_BREACHES),
  };
}

type GroupRules = Pick<RuleSet, 'points' | 'caps' | 'constants'>;

function proveGroup(group: string, rules: GroupRules, catalogue: FactCatalogue, mostCases: number) {
  const columns = columnsOf(rules, catalogue);
  const open = columns.filter(({ isOpen }) => isOpen);
  // A group cannot count less than all that it takes away.
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

/** As a column: every check knows it, and lists tell its values apart. */
const BUCKET: Pick<CataloguedFact, 'id' | 'type' | 'values' | 'never_unknown' | 'disabled'> = {
  id: ROLLOUT_BUCKET,
  type: 'domain',
  never_unknown: true,
};

function columnsOf({ points, constants }: GroupRules, catalogue: FactCatalogue) {
  const literals = points.flatMap(({ condition }) => literalsOf(condition));
  const read = points.flatMap(({ reads }) => reads);
  return [...new Set(read)].sort().flatMap((id) => {
    const fact = id === ROLLOUT_BUCKET ? BUCKET : catalogue.facts.get(id);
    if (!fact) return [];
    const values = fact.disabled ? [] : tellingValues(fact, literals, constants);
    const isOpen = canBeUnknown(fact);
    const settings: readonly Facts[string][] = isOpen ? [...values, null] : values;
    return [{ id, values, isOpen, settings }];
  });
}
