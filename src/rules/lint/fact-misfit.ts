import type { FactValue } from '../../provider-kit/index.ts';
import type { ReadableFact } from './readable-facts.ts';

/** Whether a fact can have the value; null is unknown. */
export function isValueOf(fact: ReadableFact, value: unknown): value is FactValue | null {
  if (value === null) return fact.isDisabled || !fact.isSettled;
  if (fact.type === 'string') return typeof value === 'string' && fact.values.includes(value);
  if (fact.type === 'boolean') return typeof value === 'boolean';
  return fact.type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
}

/** What the value would have to be. */
export function describeMisfit(fact: ReadableFact): string {
  const expected = fact.type === 'string' ? `one of ${fact.values.join(', ')}` : `a ${fact.type}`;
  const unknown = fact.isSettled ? '; it is never unknown' : ', or null where it is unknown';
  return `${fact.id} is ${expected}${unknown}`;
}
