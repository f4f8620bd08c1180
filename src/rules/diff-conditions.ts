import { without } from '../lib/text.ts';
import {
  describeComparison,
  namesUsed,
  partsOf,
  toNegationNormalForm,
  unorderedText,
  withParts,
} from './conditions.ts';
import type { Condition, NormalCondition, Rule } from './definitions.ts';

/** One member that differs; null on a side that does not have the member. */
export interface Detail {
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The parts, with `not` resolved, that only one side has; where the combiners differ, the conditions as a whole. */
export function diffConditions(before?: NormalCondition, after?: NormalCondition): readonly Detail[] {
  const isSameWord = before && after && wordOf(before) === wordOf(after);
  const textsOf = (condition?: NormalCondition) => {
    if (!condition) return [];
    return isSameWord ? describeParts(condition) : [describe(condition)];
  };
  const [olds, news] = [textsOf(before), textsOf(after)];
  const detail = { what: 'condition', before: without(olds, news), after: without(news, olds) };
  return detail.before.length + detail.after.length > 0 ? [detail] : [];
}

function wordOf(condition: NormalCondition): string | undefined {
  if ('fact' in condition) return undefined;
  if ('at_least' in condition) return `at_least ${condition.at_least.count}`;
  return 'all' in condition ? 'all' : 'any';
}

/** Sorted: the order of parts, and of words in a list, means nothing. */
function describeParts(condition: NormalCondition): readonly string[] {
  if ('fact' in condition) return [describe(condition)];
  return partsOf(condition).map(describe).sort();
}

export function describe(condition: NormalCondition): string {
  if (!('fact' in condition)) return `${wordOf(condition)}(${describeParts(condition).join('; ')})`;
  const { value } = condition;
  return describeComparison(Array.isArray(value) ? { ...condition, value: value.toSorted() } : condition);
}

/** The text of a condition with names left as names: it stays the same when only the meaning of a name changes. */
export function textWithNames(condition: Condition): string {
  return unorderedText(toNegationNormalForm(keepNames(condition)));
}

function keepNames(condition: Condition): Condition {
  if ('fact' in condition) return condition;
  if ('condition' in condition) {
    const { condition: name, place } = condition;
    return { fact: `condition ${name}`, operator: 'equal', value: true, place };
  }
  if ('not' in condition) return { not: keepNames(condition.not) };
  return withParts(condition, partsOf(condition).map(keepNames));
}

/** Named conditions that a changed rule uses both before and after: one of them may be what changed the rule. */
export function turnedNames(before: readonly Rule[], after: readonly Rule[]): ReadonlySet<string> {
  const olds = new Map(before.map((rule) => [rule.id, rule]));
  return new Set(
    after.flatMap((rule) => {
      const old = olds.get(rule.id);
      if (!old || unorderedText(old.condition) === unorderedText(rule.condition)) return [];
      const names = namesUsed(old.conditions);
      return namesUsed(rule.conditions).filter((name) => names.includes(name));
    }),
  );
}
