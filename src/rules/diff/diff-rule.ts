import { isExpired, type Rule } from '../definitions.ts';
import { describeComparison } from '../describe-comparison.ts';
import { literalsOf, toNegationNormalForm } from '../negation-normal-form.ts';
import { canonicalJson, meaningOf } from '../ruleset-hash.ts';
import { type Detail, dayOf, detailsOf } from './detail.ts';

/** Whether the rule has a say: live, and not past its date. */
export function isDeciding(rule: Rule, now: number): boolean {
  return rule.mode === 'live' && !isExpired(rule, now);
}

/** What differs between a rule and what it became; null where it was not there, or is gone. */
export function diffRule(
  before: Rule | null,
  after: Rule | null,
  now: number,
): { readonly details: readonly Detail[]; readonly decides: boolean } {
  const [olds, news] = [before ? decidingParts(before) : {}, after ? decidingParts(after) : {}];
  const [oldTold, newTold] = [before ? toldParts(before) : {}, after ? toldParts(after) : {}];
  const states = detailsOf(stateOf(before, now), stateOf(after, now));
  const deciding = [...detailsOf(olds, news), ...diffConditions(before, after)];
  const hasSay = [before, after].some((rule) => rule !== null && isDeciding(rule, now));
  const gainsOrLoses =
    before !== null && after !== null && isDeciding(before, now) !== isDeciding(after, now);
  return {
    details: [...states, ...deciding, ...detailsOf(oldTold, newTold)],
    decides: gainsOrLoses || (hasSay && deciding.length > 0),
  };
}

/** The same rule under another id. */
export function isRenamed(before: Rule, after: Rule, now: number): boolean {
  return (
    isDeciding(before, now) === isDeciding(after, now) &&
    before.mode === after.mode &&
    canonicalJson(decidingParts(before)) === canonicalJson(decidingParts(after)) &&
    meaning(before) === meaning(after)
  );
}

function stateOf(rule: Rule | null, now: number): Readonly<Record<string, unknown>> {
  if (rule === null) return {};
  return { mode: rule.mode === 'live' && isExpired(rule, now) ? 'expired' : rule.mode };
}

function decidingParts(rule: Rule): Readonly<Record<string, unknown>> {
  switch (rule.kind) {
    case 'points': {
      const absorbs = rule.absorbs.map(({ id }) => id).sort();
      return { kind: 'points', group: rule.group, points: rule.points, absorbs };
    }
    case 'level':
      return { kind: 'level', level: rule.level };
    case 'force':
    case 'action':
      return { kind: rule.kind, action: rule.action };
  }
}

function toldParts({ description, owner, expires }: Rule): Readonly<Record<string, unknown>> {
  return { description, owner, expires: dayOf(expires) };
}

function meaning({ conditions }: Rule): string {
  return meaningOf(toNegationNormalForm(conditions));
}

/**
 * The comparisons, `not` resolved, that stand on one side only. Where both have the same ones they are combined otherwise,
 * and the whole condition is told.
 */
function diffConditions(before: Rule | null, after: Rule | null): readonly Detail[] {
  if (before !== null && after !== null && meaning(before) === meaning(after)) return [];
  const comparisons = (rule: Rule | null) =>
    rule === null ? [] : literalsOf(toNegationNormalForm(rule.conditions)).map(describeComparison);
  const [olds, news] = [comparisons(before), comparisons(after)];
  const only = (some: readonly string[], others: readonly string[]) => [
    ...new Set(some.filter((text) => !others.includes(text))),
  ];
  const [gone, come] = [only(olds, news), only(news, olds)];
  if (gone.length === 0 && come.length === 0) {
    return [{ what: 'combination', before: combined(before), after: combined(after) }];
  }
  return [{ what: 'condition', before: gone, after: come }];
}

function combined(rule: Rule | null): string | null {
  return rule === null ? null : describe(toNegationNormalForm(rule.conditions));
}

function describe(condition: ReturnType<typeof toNegationNormalForm>): string {
  if ('fact' in condition) return describeComparison(condition);
  const [word, parts] = 'all' in condition ? ['all', condition.all] : ['any', condition.any];
  return `${word}(${parts.map(describe).join('; ')})`;
}
