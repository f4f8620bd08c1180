import type { FactValue } from '../../provider-kit/index.ts';
import type { FactCatalogue } from '../../signals/fact-catalogue.ts';
import type { RuleSet } from '../compile.ts';
import type { Facts } from '../decision.ts';
import { RISK_SCORE } from '../definitions.ts';
import { factsRead, literalsOf } from '../negation-normal-form.ts';
import { quickScore } from '../quick-outcome.ts';
import { combinations } from './combinations.ts';
import { tellingValues } from './telling-values.ts';

/** A fact that was unknown, and a value it could have had that would have scored less. */
export interface DegradedBreach {
  /** What was known, and null for all that was not. */
  readonly facts: Facts;
  readonly fact: string;
  readonly value: FactValue;
  readonly scoreWithout: number;
  readonly scoreWith: number;
}

export interface DegradedProof {
  /** Sets of facts looked at, in each of which something is unknown. */
  readonly cases: number;
  /** Whether that was all there are, up to values that no rule tells apart; else a sample, the same each time. */
  readonly isComplete: boolean;
  /** Facts that rules read and that can be unknown. */
  readonly facts: readonly string[];
  /** The first few. */
  readonly breaches: readonly DegradedBreach[];
}

/** Cases looked at, at some 3 µs each; the shipped rules have fewer. */
const MOST_CASES = 200_000;
const MOST_BREACHES = 5;

/**
 * Holds a rule set to the promise that what nobody knows never raises the score: for every set of facts with some of
 * them unknown, each of these in turn is given every value that a rule can tell apart. To look one fact ahead is
 * enough: any number of them becomes known one after the other.
 *
 * Lint refuses what could break the promise, rule by rule; this looks at the whole, and at what lint may overlook.
 */
export function proveDegraded(
  ruleSet: RuleSet,
  catalogue: FactCatalogue,
  mostCases = MOST_CASES,
): DegradedProof {
  const literals = [...ruleSet.forces, ...ruleSet.points].flatMap(({ condition }) => literalsOf(condition));
  const read = [...new Set(literals.flatMap(factsRead))].filter((id) => id !== RISK_SCORE).sort();
  const columns = read.flatMap((id) => {
    const fact = catalogue.facts.get(id);
    if (!fact) return [];
    const values = fact.disabled ? [] : tellingValues(fact, literals, ruleSet.thresholdFacts);
    const canBeUnknown = fact.disabled || !fact.never_unknown;
    return [{ id, values, canBeUnknown, settings: canBeUnknown ? [...values, null] : values }];
  });
  const open = columns.filter(({ canBeUnknown }) => canBeUnknown);
  const breaches: DegradedBreach[] = [];
  let cases = 0;
  const { each, isComplete } = combinations(columns, mostCases);
  for (const facts of each) {
    const unknown = open.filter(({ id }) => facts[id] === null);
    if (unknown.length === 0) continue;
    cases += 1;
    const scoreWithout = quickScore(ruleSet, facts);
    // Nothing scores less than nothing.
    if (scoreWithout === 0) continue;
    for (const { id, values } of unknown) {
      for (const value of values) {
        const scoreWith = quickScore(ruleSet, { ...facts, [id]: value });
        if (scoreWith >= scoreWithout || breaches.length === MOST_BREACHES) continue;
        breaches.push({ facts, fact: id, value, scoreWithout, scoreWith });
      }
    }
  }
  return { cases, isComplete, facts: open.map(({ id }) => id), breaches };
}
