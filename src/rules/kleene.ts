import type { Facts } from './decision.ts';
import { factsRead, isReference, type Literal, type NormalCondition } from './negation-normal-form.ts';
import { holds } from './operators.ts';

/** True, false, or unknown because of these facts. */
export type Truth =
  | { readonly is: 'true' | 'false' }
  | { readonly is: 'unknown'; readonly because: readonly string[] };

const TRUE: Truth = { is: 'true' };
const FALSE: Truth = { is: 'false' };

/**
 * Kleene's strong logic. `because` names only the unknown facts that leave the condition open: in
 * `any: [a, all: [b, c]]` with c false, an unknown b does not matter.
 */
export function truthOf(condition: NormalCondition, facts: Facts): Truth {
  if ('fact' in condition) return truthOfLiteral(condition, facts);
  const isAll = 'all' in condition;
  const decisive = isAll ? 'false' : 'true';
  const because: string[] = [];
  for (const part of isAll ? condition.all : condition.any) {
    const truth = truthOf(part, facts);
    if (truth.is === decisive) return truth;
    if (truth.is === 'unknown') because.push(...truth.because);
  }
  if (because.length > 0) return { is: 'unknown', because };
  return isAll ? TRUE : FALSE;
}

function truthOfLiteral(literal: Literal, facts: Facts): Truth {
  const { fact, operator, value } = literal;
  const because = factsRead(literal).filter((id) => factValue(id, facts) === null);
  if (because.length > 0) return { is: 'unknown', because };
  const right = isReference(value) ? factValue(value.fact, facts) : value;
  return holds(operator, factValue(fact, facts), right) ? TRUE : FALSE;
}

/** A fact that is not there at all is a bug of the caller, never an unknown. */
export function factValue(id: string, facts: Facts): Facts[string] {
  const value = facts[id];
  return value === undefined ? missingFact(id) : value;
}

export function missingFact(id: string): never {
  throw new Error(`the fact "${id}" is missing: every declared fact must be present`);
}
