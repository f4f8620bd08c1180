import type { FactValue } from '../provider-kit/index.ts';
import { factsRead, isReference, neededOf, partsOf } from './conditions.ts';
import type { Action, Facts } from './decision.ts';
import { type Literal, type NormalCondition, RISK_SCORE } from './definitions.ts';
import type { NamedList } from './named-list.ts';
import { holds } from './operators.ts';
import type { RuleSet } from './rule-set.ts';
import { addUp, type Tally } from './score.ts';

/** A truth value of Kleene's strong logic; null is unknown. */
export type Truth = boolean | null;

/** Facts together with the constants that conditions compare them with. */
export type Evidence = Readonly<Record<string, FactValue | NamedList | null>>;

/** Evidence with facts that are not settled yet: these are absent or undefined. Null is a settled unknown. */
export type PartialEvidence = Readonly<Record<string, FactValue | NamedList | null | undefined>>;

/**
 * Kleene's strong logic: `all` is false when a part is false, `any` true when a part is true, whatever the unknown parts are;
 * `at_least` is true when `count` parts are true, and false when too many are false to reach `count`.
 * `truthOf` and `firesIn` are the only evaluator beside json-rules-engine. The engine decides; tests hold both to the same answers.
 */
export function truthOf(condition: NormalCondition, facts: Evidence): Truth {
  return combine(condition, facts, truthOfLiteral);
}

/**
 * Whether a rule with this condition fires, whatever the facts that are not settled yet turn out to be; null where that depends
 * on them. As in a decision, a comparison with an unknown fact does not hold.
 */
export function firesIn(condition: NormalCondition, facts: PartialEvidence): Truth {
  return combine(condition, facts, literalFires);
}

/** The unknown facts that leave a condition open. In `any: [a, all: [b, c]]` with c false, an unknown b does not matter. */
export function openFacts(condition: NormalCondition, facts: Evidence): readonly string[] {
  if (truthOf(condition, facts) !== null) return [];
  if ('fact' in condition) return factsRead(condition).filter((id) => factValue(id, facts) === null);
  return partsOf(condition).flatMap((part) => openFacts(part, facts));
}

/** Throws where the fact is absent: that is a bug of the caller, never an unknown. */
export function factValue<Value>(id: string, facts: Readonly<Record<string, Value>>): Value {
  const value = facts[id];
  return value === undefined ? missingFact(id) : value;
}

export function missingFact(id: string): never {
  throw new Error(`the fact "${id}" is missing: every declared fact must be present`);
}

type Points = Pick<RuleSet, 'points' | 'caps' | 'constants'>;

/** The score without json-rules-engine: fifty times faster. */
export function quickTally({ points, caps, constants }: Points, facts: Facts): Tally {
  const all = { ...facts, ...constants };
  return addUp(
    points.filter(({ condition }) => truthOf(condition, all)),
    caps,
  );
}

/** The action for these facts at this score, forced actions included. */
export function quickAction(
  { forces, actions, constants }: RuleSet,
  facts: Facts,
  score: number,
): { readonly action: Action; readonly isForced: boolean } {
  const all = { ...facts, ...constants, [RISK_SCORE]: score };
  const forced = forces.filter(({ condition }) => truthOf(condition, all)).map(({ action }) => action);
  if (forced.length > 0) return { action: forced.includes('ALLOW') ? 'ALLOW' : 'BLOCK', isForced: true };
  const isBlocked = actions.some(({ condition }) => truthOf(condition, all));
  return { action: isBlocked ? 'BLOCK' : 'ALLOW', isForced: false };
}

function truthOfLiteral({ fact, operator, value }: Literal, facts: Evidence): Truth {
  const left = factValue(fact, facts);
  const right = isReference(value) ? factValue(value.fact, facts) : value;
  return left === null || right === null ? null : holds(operator, left, right);
}

function literalFires({ fact, operator, value }: Literal, facts: PartialEvidence): Truth {
  const left = facts[fact];
  const right = isReference(value) ? facts[value.fact] : value;
  if (left === null || right === null) return false;
  return left === undefined || right === undefined ? null : holds(operator, left, right);
}

function combine<Known>(
  condition: NormalCondition,
  facts: Known,
  compare: (literal: Literal, facts: Known) => Truth,
): Truth {
  if ('fact' in condition) return compare(condition, facts);
  const parts = partsOf(condition);
  /** How many more must be true, and how many may yet be false. */
  let wanted = neededOf(condition);
  let spare = parts.length - wanted;
  for (const part of parts) {
    if (wanted === 0) return true;
    const truth = combine(part, facts, compare);
    if (truth === true) wanted -= 1;
    else if (truth === false && --spare < 0) return false;
  }
  // True for an empty `all` too, which needs no part.
  return wanted === 0 ? true : null;
}
