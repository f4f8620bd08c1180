import type { Comparison, Condition, Literal, NormalCondition, Operand } from './definitions.ts';
import { OPERATORS } from './operators.ts';

/**
 * Moves every `not` down to the comparisons, where the opposite operator takes it in. In this form a
 * condition whose comparisons are false where unknown is true exactly when Kleene's strong logic says true;
 * a `not` left to the engine would turn unknown into true.
 */
export function toNegationNormalForm(condition: Condition, isNegated = false): NormalCondition {
  if ('not' in condition) return toNegationNormalForm(condition.not, !isNegated);
  if ('fact' in condition) {
    const { fact, operator, value } = condition;
    return { fact, operator: isNegated ? OPERATORS[operator].opposite : operator, value };
  }
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

/** As written: `mx.host_count greaterThan threshold.many`. */
export function describeComparison({ fact, operator, value }: Literal): string {
  if (isReference(value)) return `${fact} ${operator} ${value.fact}`;
  return `${fact} ${operator} ${Array.isArray(value) ? `[${value.join(', ')}]` : String(value)}`;
}
