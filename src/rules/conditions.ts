import type { Comparison, Condition, Operand } from './definitions.ts';
import { OPERATORS, type Operator } from './operators.ts';

export interface Literal {
  readonly fact: string;
  readonly operator: Operator;
  readonly value: Operand;
}

/** A condition without `not`: what json-rules-engine is given. */
export type NormalCondition =
  | Literal
  | { readonly all: readonly NormalCondition[] }
  | { readonly any: readonly NormalCondition[] };

/**
 * Moves every `not` down to the comparisons, where the opposite operator takes it in. In this form a
 * condition whose comparisons are false where unknown is true exactly when Kleene's strong logic says true;
 * a `not` left to the engine would turn unknown into true.
 */
export function toNegationNormalForm(condition: Condition, isNegated = false): NormalCondition {
  if ('not' in condition) return toNegationNormalForm(condition.not, !isNegated);
  if ('fact' in condition) return toLiteral(condition, isNegated);
  const parts = 'all' in condition ? condition.all : condition.any;
  const normal = parts.map((part) => toNegationNormalForm(part, isNegated));
  return 'all' in condition !== isNegated ? { all: normal } : { any: normal };
}

/** Every comparison of a condition, from left to right. */
export function literalsOf(condition: NormalCondition): readonly Literal[] {
  if ('fact' in condition) return [condition];
  return ('all' in condition ? condition.all : condition.any).flatMap(literalsOf);
}

/** The comparisons of a condition as written, with their places. */
export function comparisonsOf(condition: Condition): readonly Comparison[] {
  if ('fact' in condition) return [condition];
  if ('not' in condition) return comparisonsOf(condition.not);
  return ('all' in condition ? condition.all : condition.any).flatMap(comparisonsOf);
}

/** The facts and thresholds that a condition reads, each once. */
export function factsIn(condition: NormalCondition): readonly string[] {
  return [...new Set(literalsOf(condition).flatMap(factsRead))];
}

/** The facts and thresholds that a comparison reads. */
export function factsRead({ fact, value }: Literal): readonly string[] {
  return isReference(value) ? [fact, value.fact] : [fact];
}

export function isReference(value: Operand): value is { readonly fact: string } {
  return typeof value === 'object' && 'fact' in value;
}

function toLiteral({ fact, operator, value }: Comparison, isNegated: boolean): Literal {
  return { fact, operator: isNegated ? OPERATORS[operator].opposite : operator, value };
}

/** As written: `mx.host_count greaterThan threshold.many`. */
export function describeComparison({
  fact,
  operator,
  value,
}: Pick<Comparison, 'fact' | 'operator' | 'value'>): string {
  if (isReference(value)) return `${fact} ${operator} ${value.fact}`;
  return `${fact} ${operator} ${Array.isArray(value) ? `[${value.join(', ')}]` : String(value)}`;
}
