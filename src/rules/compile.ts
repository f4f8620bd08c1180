import { isDeepStrictEqual } from 'node:util';
import { byId } from '../lib/text.ts';
import type { ListEntry } from '../provider-kit/index.ts';
import type { FactCatalogue } from '../signals/signals.ts';
import type { Facts } from './decision.ts';
import {
  type DatedListEntry,
  effectOf,
  isExpired,
  RISK_SCORE,
  type Rule,
  type RuleDefinitions,
  THRESHOLD_PREFIX,
} from './definitions.ts';
import { canonicalEntry } from './list-entries.ts';
import {
  type CompiledRule,
  type DecidingParts,
  hashRuleSet,
  hashShadowRule,
  type RuleSet,
} from './rule-set.ts';

/** Brings rules that passed lint into the form that decides. `now` settles every expiry. */
export function compileRuleSet(definitions: RuleDefinitions, catalogue: FactCatalogue, now: number): RuleSet {
  const inForce = definitions.rules.filter((rule) => rule.mode !== 'off' && !isExpired(rule, now));
  const live = inForce.filter(({ mode }) => mode === 'live').map(compileRule);
  const shadows = inForce.filter(({ mode }) => mode === 'shadow').map(compileRule);
  requireFacts([...live, ...shadows], catalogue);
  const points = live.filter((rule) => rule.kind === 'points').toSorted(byId);
  const canFire = new Set(points.map(({ id }) => id));
  const deciding: DecidingParts = {
    // Only rules that can fire are absorbed.
    points: points.map((rule) => ({ ...rule, absorbs: rule.absorbs.filter((id) => canFire.has(id)) })),
    forces: live.filter((rule) => rule.kind === 'force').toSorted(byId),
    levels: live.filter((rule) => rule.kind === 'level').toSorted(byId),
    actions: live.filter((rule) => rule.kind === 'action').toSorted(byId),
    caps: Object.fromEntries(definitions.groups.map(({ id, maxScore }) => [id, maxScore])),
    thresholdFacts: thresholdsOf(definitions, live),
    signals: definitions.signals,
  };
  const { allow, deny } = definitions.lists;
  // Shadow rules may read thresholds that no live rule does; the hash leaves those out.
  const thresholdFacts = thresholdsOf(definitions, [...live, ...shadows]);
  const shadowPoints = shadows.filter((rule) => rule.kind === 'points').toSorted(byId);
  return deepFreeze({
    ...deciding,
    thresholdFacts,
    hash: hashRuleSet(deciding),
    shadows: shadowPoints,
    shadowHashes: Object.fromEntries(
      shadowPoints.map((rule) => [rule.id, hashShadowRule(rule, thresholdFacts)]),
    ),
    lists: { allow: entriesInForce(allow, now), deny: entriesInForce(deny, now) },
    nextExpiry: soonest([...inForce, ...allow, ...deny], now),
  });
}

function compileRule(rule: Rule): CompiledRule {
  const { id, condition, reads } = rule;
  return { id, condition, reads, ...effectOf(rule) } as CompiledRule;
}

function thresholdsOf({ thresholds }: RuleDefinitions, rules: readonly CompiledRule[]): Facts {
  const read = new Set(rules.flatMap(({ reads }) => reads));
  return Object.fromEntries(
    thresholds
      .map(({ name, value }) => [`${THRESHOLD_PREFIX}${name}`, value] as const)
      .filter(([id]) => read.has(id)),
  );
}

/** Definitions were linted against another catalogue: a bug, found here rather than in a decision. */
function requireFacts(rules: readonly CompiledRule[], { facts }: FactCatalogue): void {
  for (const { id, reads } of rules) {
    const missing = reads.find(
      (fact) => fact !== RISK_SCORE && !fact.startsWith(THRESHOLD_PREFIX) && !facts.has(fact),
    );
    if (missing !== undefined) throw new Error(`rule "${id}" reads "${missing}", which no provider answers`);
  }
}

function entriesInForce(entries: readonly DatedListEntry[], now: number): readonly ListEntry[] {
  return entries
    .filter((entry) => !isExpired(entry, now))
    .map(({ value, reason, owner }) => ({ value: canonicalEntry(value), reason, owner }));
}

function soonest(dated: readonly { readonly expires: number | null }[], now: number): number | null {
  const ahead = dated.flatMap(({ expires }) => (expires !== null && expires > now ? [expires] : []));
  return ahead.length === 0 ? null : Math.min(...ahead);
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

type Parts = Pick<RuleSet, 'signals' | 'lists'>;

/** The files of a rules directory by which providers make facts, where these say something else in the other set. */
export function otherFactMakers(one: Parts, other: Parts): readonly string[] {
  const files: readonly (readonly [file: string, (parts: Parts) => unknown])[] = [
    ['signals.yaml', ({ signals }) => signals],
    ['allow.yaml', ({ lists }) => valuesOf(lists.allow)],
    ['deny.yaml', ({ lists }) => valuesOf(lists.deny)],
  ];
  return files.flatMap(([file, part]) => (isDeepStrictEqual(part(one), part(other)) ? [] : [file]));
}

/** Why an entry stands there, and whose it is, changes no fact; nor does the order. */
function valuesOf(entries: Parts['lists']['allow']): readonly string[] {
  return entries.map(({ value }) => value).toSorted();
}
