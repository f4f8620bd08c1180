import type { Comparison } from './definitions.ts';
import { isReference } from './negation-normal-form.ts';

/** As written: `mx.host_count greaterThan threshold.many`. */
export function describeComparison({
  fact,
  operator,
  value,
}: Pick<Comparison, 'fact' | 'operator' | 'value'>): string {
  if (isReference(value)) return `${fact} ${operator} ${value.fact}`;
  return `${fact} ${operator} ${Array.isArray(value) ? `[${value.join(', ')}]` : String(value)}`;
}
