import { isDeepStrictEqual } from 'node:util';
import { frozen } from '../lib/concurrency.ts';
import { byId } from '../lib/text.ts';
import type { ListEntry } from '../provider-kit/index.ts';
import { namesUsed } from './conditions.ts';
import {
  type DatedListEntry,
  effectOf,
  isExpired,
  isInTime,
  LIST_PREFIX,
  type NamedListDefinition,
  type Rule,
  type RuleDefinitions,
  THRESHOLD_PREFIX,
} from './definitions.ts';
import { canonicalEntry } from './list-entries.ts';
import { type Constants, compileNamedList } from './named-list.ts';
import { isRolledOut, listsOfInside, type RolledOutRule, sidesOf } from './rollout.ts';
import {
  type CompiledCondition,
  type CompiledPoints,
  type CompiledRule,
  type DecidingParts,
  hashRuleSet,
  hashShadowRule,
  type RuleSet,
} from './rule-set.ts';

/**
 * Brings rules that passed lint into the form that decides. `now` settles what has started and what has expired. `forEveryone`: each rule
 * that is rolled out counts for all people, as in tests of rules.
 */
export function compileRuleSet(
  definitions: RuleDefinitions,
  now: number,
  { forEveryone = false } = {},
): RuleSet {
  const switchedOn = definitions.rules.filter(({ mode }) => mode !== 'off');
  const inForce = switchedOn.filter((rule) => isInTime(rule, now));
  const isLimited = (rule: Rule): rule is RolledOutRule => !forEveryone && isRolledOut(rule);
  const limited = inForce.filter(isLimited);
  const rolledOut = limited.map((rule) => {
    const compiled = compileRule(rule) as CompiledPoints;
    return { rollout: { percent: rule.rollout.percent, rule: compiled }, ...sidesOf(compiled) };
  });
  const whole = inForce.filter((rule) => rule.mode === 'live' && !isLimited(rule)).map(compileRule);
  const live = [...whole, ...rolledOut.map(({ inside }) => inside)];
  const tried = inForce.filter(({ mode }) => mode === 'shadow').map(compileRule);
  const shadows = [...tried, ...rolledOut.map(({ outside }) => outside)];
  const points = live.filter((rule) => rule.kind === 'points').toSorted(byId);
  const canFire = new Set(points.map(({ id }) => id));
  // Also the lists of rules that have not started: an entry may expire before the rule starts.
  const read = new Set(switchedOn.flatMap(({ reads }) => reads));
  const lists = { ...compileLists(definitions.namedLists, now), ...listsOfInside(limited) };
  const deciding: DecidingParts = {
    // Only rules that can fire are absorbed.
    points: points.map((rule) => ({ ...rule, absorbs: rule.absorbs.filter((id) => canFire.has(id)) })),
    forces: live.filter((rule) => rule.kind === 'force').toSorted(byId),
    levels: live.filter((rule) => rule.kind === 'level').toSorted(byId),
    actions: live.filter((rule) => rule.kind === 'action').toSorted(byId),
    caps: Object.fromEntries(definitions.groups.map(({ id, maxScore }) => [id, maxScore])),
    constants: constantsOf(definitions, lists, live),
    signals: definitions.signals,
  };
  const { allow, deny } = definitions.lists;
  const named = definitions.namedLists.filter(({ name }) => read.has(`${LIST_PREFIX}${name}`));
  // Shadow rules may read thresholds that no live rule does; the hash leaves those out.
  const constants = constantsOf(definitions, lists, [...live, ...shadows]);
  const rollouts = Object.fromEntries(rolledOut.map(({ rollout }) => [rollout.rule.id, rollout]));
  const shadowPoints = shadows.filter((rule) => rule.kind === 'points').toSorted(byId);
  return frozen({
    ...deciding,
    constants,
    hash: hashRuleSet(deciding),
    shadows: shadowPoints,
    // A rolled-out rule is hashed without its rollout: the hash is the same at every percentage.
    shadowHashes: Object.fromEntries(
      shadowPoints.map((rule) => [rule.id, hashShadowRule(rollouts[rule.id]?.rule ?? rule, constants)]),
    ),
    rollouts,
    conditions: conditionsOf(definitions, inForce),
    lists: { allow: entriesInForce(allow, now), deny: entriesInForce(deny, now) },
    nextChange: soonest(
      [
        ...switchedOn.flatMap(({ starts, expires }) => [starts, expires]),
        ...[...allow, ...deny, ...named.flatMap(({ entries }) => entries)].map(({ expires }) => expires),
      ],
      now,
    ),
  });
}

function compileRule(rule: Rule): CompiledRule {
  const { id, condition, reads } = rule;
  return { id, condition, reads, ...effectOf(rule) } as CompiledRule;
}

/** The named conditions that these rules use. */
function conditionsOf({ conditions }: RuleDefinitions, rules: readonly Rule[]): readonly CompiledCondition[] {
  const used = rules.map(({ id, conditions }) => ({ id, names: namesUsed(conditions) }));
  return conditions.flatMap(({ name, condition }) => {
    const users = used.filter(({ names }) => names.includes(name)).map(({ id }) => id);
    return users.length === 0 ? [] : [{ name, condition, rules: users.sort() }];
  });
}

/** The thresholds and lists that these rules read. */
function constantsOf(
  { thresholds }: RuleDefinitions,
  lists: Constants,
  rules: readonly CompiledRule[],
): Constants {
  const read = new Set(rules.flatMap(({ reads }) => reads));
  const numbers = thresholds.map(({ name, value }) => [`${THRESHOLD_PREFIX}${name}`, value] as const);
  return Object.fromEntries([...numbers, ...Object.entries(lists)].filter(([id]) => read.has(id)));
}

/** The named lists with their entries in force, by `list.<name>`. */
export function compileLists(lists: readonly NamedListDefinition[], now: number): Constants {
  return Object.fromEntries(
    lists.map(({ name, entries }) => {
      const inForce = entries.filter((entry) => !isExpired(entry, now)).map(({ key }) => key);
      return [`${LIST_PREFIX}${name}`, compileNamedList(name, inForce)];
    }),
  );
}

function entriesInForce(entries: readonly DatedListEntry[], now: number): readonly ListEntry[] {
  return entries
    .filter((entry) => !isExpired(entry, now))
    .map(({ value, reason, owner }) => ({ value: canonicalEntry(value), reason, owner }));
}

function soonest(moments: readonly (number | null)[], now: number): number | null {
  const ahead = moments.filter((moment) => moment !== null).filter((moment) => moment > now);
  return ahead.reduce<number | null>((first, moment) => Math.min(first ?? moment, moment), null);
}

type Parts = Pick<RuleSet, 'signals' | 'lists'>;

/** The files from which providers make facts, each with what they read of it. */
const PARTS_OF_FACTS: readonly (readonly [file: string, (parts: Parts) => unknown])[] = [
  ['signals.yaml', ({ signals }) => signals],
  ['allow.yaml', ({ lists }) => valuesOf(lists.allow)],
  ['deny.yaml', ({ lists }) => valuesOf(lists.deny)],
];

/** The files of a rules directory from which providers make facts. */
export const FACT_MAKERS: readonly string[] = PARTS_OF_FACTS.map(([file]) => file);

/** The files of `FACT_MAKERS` that would make other facts in the other set. */
export function otherFactMakers(one: Parts, other: Parts): readonly string[] {
  return PARTS_OF_FACTS.flatMap(([file, part]) => (isDeepStrictEqual(part(one), part(other)) ? [] : [file]));
}

/** Reason, owner and order of the entries change no fact. */
function valuesOf(entries: Parts['lists']['allow']): readonly string[] {
  return entries.map(({ value }) => value).toSorted();
}
