import { describeCondition, partsOf } from './conditions.ts';
import type { Facts } from './decision.ts';
import { type NormalCondition, RISK_SCORE } from './definitions.ts';
import { truthOf } from './kleene.ts';
import type { RuleSet } from './rule-set.ts';

/** How many parts of an `at_least` hold, each by its text. */
export interface PartCount {
  readonly rule: string;
  readonly needed: number;
  readonly held: readonly string[];
  readonly unknown: readonly string[];
  readonly failed: readonly string[];
}

/** Of every `at_least` of the rules in force, by rule. A condition that `not` stands before is told as what it comes to. */
export function countParts(ruleSet: RuleSet, given: Facts, score: number): readonly PartCount[] {
  const { forces, points, actions, constants } = ruleSet;
  const facts = { ...given, ...constants, [RISK_SCORE]: score };
  const countsOf = (rule: string, condition: NormalCondition): readonly PartCount[] => {
    if ('fact' in condition) return [];
    const below = partsOf(condition).flatMap((part) => countsOf(rule, part));
    if (!('at_least' in condition)) return below;
    const { count: needed, of } = condition.at_least;
    const those = (truth: boolean | null) =>
      of.filter((part) => truthOf(part, facts) === truth).map(describeCondition);
    return [{ rule, needed, held: those(true), unknown: those(null), failed: those(false) }, ...below];
  };
  return [...forces, ...points, ...actions].flatMap(({ id, condition }) => countsOf(id, condition));
}

/** `2 of 3 held: a equal true; b equal 1. It needs one more.` */
export function describeCount({ needed, held, unknown, failed }: PartCount): string {
  const of = held.length + unknown.length + failed.length;
  const names = held.length > 0 ? `: ${held.join('; ')}` : '';
  const open = unknown.length > 0 ? ` Unknown: ${unknown.join('; ')}.` : '';
  const lacking = needed - held.length;
  const verdict =
    lacking <= 0 ? `${needed} are enough.` : `It needs ${lacking === 1 ? 'one' : lacking} more.`;
  return `${held.length} of ${of} held${names}.${open} ${verdict}`;
}
