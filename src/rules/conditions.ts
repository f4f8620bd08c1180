import { canonicalJson } from '../lib/text.ts';
import {
  type Combined,
  type Comparison,
  type Condition,
  LIST_PREFIX,
  type Literal,
  type NormalCondition,
  type Operand,
} from './definitions.ts';
import { OPERATORS } from './operators.ts';

/**
 * Replaces each named condition by its meaning, so that a name alone changes nothing, and moves every `not` down to the comparisons, which
 * get the opposite operator. The engine takes a comparison with an unknown fact as false; in this form the whole is then true exactly
 * where Kleene's strong logic says true. A `not` left to the engine would turn unknown into true.
 */
export function toNegationNormalForm(condition: Condition, isNegated = false): NormalCondition {
  if ('condition' in condition) {
    const written = toNegationNormalForm(condition.means, isNegated);
    const [only, ...others] = 'fact' in written ? [] : partsOf(written);
    return only && others.length === 0 ? only : written;
  }
  if ('not' in condition) return toNegationNormalForm(condition.not, !isNegated);
  if ('fact' in condition) {
    const { fact, operator, value } = condition;
    return { fact, operator: isNegated ? OPERATORS[operator].opposite : operator, value };
  }
  const parts = partsOf(condition).map((part) => toNegationNormalForm(part, isNegated));
  if ('at_least' in condition) {
    const { count } = condition.at_least;
    // `not` at least `count` of n parts true means: at least n - count + 1 parts false.
    return atLeast(isNegated ? parts.length - count + 1 : count, parts);
  }
  const isAll = 'all' in condition !== isNegated;
  const flat = partsOf(condition).flatMap((part, index) => partsWithin(part, parts[index], isAll));
  return isAll ? { all: flat } : { any: flat };
}

/** Flattens a named `all` within an `all`, and a named `any` within an `any`: its parts join those around it. */
function partsWithin(
  part: Condition,
  normal: NormalCondition | undefined,
  isAll: boolean,
): readonly NormalCondition[] {
  if (normal === undefined) return [];
  if ('not' in part) return partsWithin(part.not, normal, isAll);
  if (!('condition' in part)) return [normal];
  if (isAll) return 'all' in normal ? normal.all : [normal];
  return 'any' in normal ? normal.any : [normal];
}

function atLeast(count: number, parts: readonly NormalCondition[]): NormalCondition {
  if (count === 1) return { any: parts };
  return count === parts.length ? { all: parts } : { at_least: { count, of: parts } };
}

/** What `all`, `any` or `at_least` combines. */
export function partsOf<Part>(condition: Combined<Part>): readonly Part[] {
  if ('all' in condition) return condition.all;
  return 'any' in condition ? condition.any : condition.at_least.of;
}

/** The same combiner with other parts. */
export function withParts<Part, Other>(condition: Combined<Part>, parts: readonly Other[]): Combined<Other> {
  if ('all' in condition) return { all: parts };
  return 'any' in condition ? { any: parts } : { at_least: { ...condition.at_least, of: parts } };
}

/** How many of the parts must be true. */
export function neededOf(condition: Combined<unknown>): number {
  if ('at_least' in condition) return condition.at_least.count;
  return 'any' in condition ? 1 : condition.all.length;
}

/** Conditions that differ only in the order of parts, or of the words of a list, have the same text. */
export function unorderedText(condition: NormalCondition): string {
  return canonicalJson(unordered(condition));
}

/** Plain JSON with parts and words sorted, so that their order makes no difference. */
export function unordered(condition: NormalCondition): unknown {
  if ('fact' in condition) {
    const { value } = condition;
    return Array.isArray(value) ? { ...condition, value: value.toSorted() } : condition;
  }
  return withParts(condition, partsOf(condition).map(unorderedText).sort());
}

/** Every comparison of a condition, from left to right. */
export function literalsOf(condition: NormalCondition): readonly Literal[] {
  if ('fact' in condition) return [condition];
  return partsOf(condition).flatMap(literalsOf);
}

/** What a condition is made of; a named condition is made of its meaning. */
function childrenOf(condition: Exclude<Condition, Comparison>): readonly Condition[] {
  if ('condition' in condition) return [condition.means];
  return 'not' in condition ? [condition.not] : partsOf(condition);
}

/** The comparisons of a condition with their places; for one within a named condition, the place where the name is used. */
export function comparisonsOf(condition: Condition): readonly Comparison[] {
  if ('fact' in condition) return [condition];
  const comparisons = childrenOf(condition).flatMap(comparisonsOf);
  if (!('condition' in condition)) return comparisons;
  const { condition: by, place } = condition;
  return comparisons.map((comparison) => ({ ...comparison, place, by }));
}

/** The named conditions that a condition uses, directly or through another named condition, each once. */
export function namesUsed(condition: Condition): readonly string[] {
  if ('fact' in condition) return [];
  const names = childrenOf(condition).flatMap(namesUsed);
  return [...new Set('condition' in condition ? [condition.condition, ...names] : names)];
}

/** The facts, thresholds and lists that a condition reads, each once. */
export function factsIn(condition: NormalCondition): readonly string[] {
  return [...new Set(literalsOf(condition).flatMap(factsRead))];
}

/** The facts, thresholds and lists that a comparison reads. */
export function factsRead({ fact, value }: Literal): readonly string[] {
  return isReference(value) ? [fact, value.fact] : [fact];
}

export function isReference(value: Operand): value is { readonly fact: string } {
  return typeof value === 'object' && 'fact' in value;
}

/** `a and (b or c)`, `at least 2 of (a; b; c)`, `condition d` */
export function describeCondition(condition: Condition | NormalCondition): string {
  if ('fact' in condition) return describeComparison(condition);
  if ('condition' in condition) return `condition ${condition.condition}`;
  if ('not' in condition) return `not ${describeWithin(condition.not)}`;
  const parts = partsOf<Condition | NormalCondition>(condition);
  if ('at_least' in condition) {
    return `at least ${condition.at_least.count} of (${parts.map(describeCondition).join('; ')})`;
  }
  const [only] = parts;
  if (only && parts.length === 1) return describeCondition(only);
  return parts.map(describeWithin).join('all' in condition ? ' and ' : ' or ');
}

function describeWithin(condition: Condition | NormalCondition): string {
  const text = describeCondition(condition);
  return isJoined(condition) ? `(${text})` : text;
}

function isJoined(condition: Condition | NormalCondition): boolean {
  if (!('all' in condition || 'any' in condition)) return false;
  const [only, ...others] = partsOf<Condition | NormalCondition>(condition);
  return others.length > 0 || (only !== undefined && isJoined(only));
}

/** The name in `list.<name>`; undefined for any other id. */
export function listNameOf(id: string): string | undefined {
  return id.startsWith(LIST_PREFIX) ? id.slice(LIST_PREFIX.length) : undefined;
}

/** As written: `mx.host_count greaterThan threshold.many`. */
export function describeComparison({ fact, operator, value }: Literal): string {
  if (isReference(value)) return `${fact} ${operator} ${listNameOf(value.fact) ?? value.fact}`;
  return `${fact} ${operator} ${Array.isArray(value) ? `[${value.join(', ')}]` : String(value)}`;
}
