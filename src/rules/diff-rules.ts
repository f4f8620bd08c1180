import { byId, canonicalJson } from '../lib/text.ts';
import {
  comparisonsOf,
  describeComparison,
  factsRead,
  literalsOf,
  toNegationNormalForm,
} from './conditions.ts';
import {
  type DatedListEntry,
  isExpired,
  type Rule,
  type RuleDefinitions,
  type RuleGroup,
  THRESHOLD_PREFIX,
  type Threshold,
} from './definitions.ts';
import { meaningOf } from './rule-set.ts';

type Subject = 'rule' | 'force' | 'level' | 'action' | 'group' | 'threshold' | 'signal' | 'allow' | 'deny';

export interface Change {
  readonly subject: Subject;
  /** Of a rule that was renamed, the new one. */
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed' | 'renamed';
  /** Whether an action, a level, a score or a ledger can be another by it, as the rules stand at that moment. */
  readonly decides: boolean;
  readonly details: readonly Detail[];
  /** Rules that a threshold or a group concerns; sorted. */
  readonly concerns: readonly string[];
}

/** One member that is another now; null where there is none on that side. */
export interface Detail {
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * What means something else in `after`: not the order of files, rules, conditions or lists, nor another way to write the same
 * condition. What decides comes first; then by subject and id. `now` settles every expiry.
 */
export function diffRules(before: RuleDefinitions, after: RuleDefinitions, now: number): readonly Change[] {
  const changes = [
    ...diffAllRules(before.rules, after.rules, now),
    ...diffGroups(before, after, now),
    ...diffThresholds(before, after, now),
    ...diffSignals(before.signals, after.signals),
    ...diffEntries('allow', before, after, now),
    ...diffEntries('deny', before, after, now),
  ];
  return [...changes.filter(({ decides }) => decides), ...changes.filter(({ decides }) => !decides)];
}

const SUBJECTS = { points: 'rule', force: 'force', level: 'level', action: 'action' } as const;

function diffAllRules(before: readonly Rule[], after: readonly Rule[], now: number): readonly Change[] {
  const renames = renamesIn(before, after, now);
  const isRenamed = (rule: Rule) => renames.some((pair) => pair.includes(rule));
  const named = (rule: Rule) => ({ subject: SUBJECTS[rule.kind], id: rule.id, concerns: [] });
  const others = changesOf(
    before.filter((rule) => !isRenamed(rule)),
    after.filter((rule) => !isRenamed(rule)),
    (old, rule) => diffRule(old, rule, now),
  );
  return [
    ...renames.map(([old, rule]): Change => {
      const details = [{ what: 'id', before: old.id, after: rule.id }, ...diffRule(old, rule, now).details];
      return { ...named(rule), change: 'renamed', decides: isDeciding(rule, now), details };
    }),
    ...others.map(({ item, ...change }): Change => ({ ...named(item), ...change })),
  ].toSorted(byId);
}

function diffGroups(before: RuleDefinitions, after: RuleDefinitions, now: number): readonly Change[] {
  const describe = ({ id, maxScore, description }: RuleGroup): Described => ({
    id,
    deciding: { max_score: maxScore },
    told: { description },
  });
  return diffDescribed('group', before.groups.map(describe), after.groups.map(describe)).map((change) => {
    const isOfGroup = (rule: Rule) => rule.kind === 'points' && rule.group === change.id;
    return concerning(change, [...before.rules, ...after.rules].filter(isOfGroup), now);
  });
}

function diffThresholds(before: RuleDefinitions, after: RuleDefinitions, now: number): readonly Change[] {
  const describe = ({ name, value, description }: Threshold): Described => ({
    id: name,
    deciding: { value },
    told: { description },
  });
  const changes = diffDescribed('threshold', before.thresholds.map(describe), after.thresholds.map(describe));
  return changes.map((change) => {
    const reads = ({ conditions }: Rule) =>
      comparisonsOf(conditions).flatMap(factsRead).includes(`${THRESHOLD_PREFIX}${change.id}`);
    return concerning(change, [...before.rules, ...after.rules].filter(reads), now);
  });
}

/** A group or threshold decides by the rules that it concerns. */
function concerning(change: Change, rules: readonly Rule[], now: number): Change {
  const ids = rules.filter((rule) => isDeciding(rule, now)).map(({ id }) => id);
  const concerns = [...new Set(ids)].sort();
  return { ...change, concerns, decides: change.decides && concerns.length > 0 };
}

/** By `provider.member`. */
function diffSignals(
  before: RuleDefinitions['signals'],
  after: RuleDefinitions['signals'],
): readonly Change[] {
  const describe = (sections: RuleDefinitions['signals']): readonly Described[] =>
    Object.entries(sections).flatMap(([provider, members]) =>
      Object.entries(members).map(([member, value]) => ({
        id: `${provider}.${member}`,
        deciding: { value },
        told: {},
      })),
    );
  return diffDescribed('signal', describe(before), describe(after));
}

function diffEntries(
  subject: 'allow' | 'deny',
  before: RuleDefinitions,
  after: RuleDefinitions,
  now: number,
): readonly Change[] {
  const describe = (entry: DatedListEntry): Described => ({
    id: entry.value,
    deciding: { in_force: !isExpired(entry, now) },
    told: { reason: entry.reason, owner: entry.owner, expires: dayOf(entry.expires) },
  });
  return diffDescribed(subject, before.lists[subject].map(describe), after.lists[subject].map(describe));
}

/** Rules that are the same under another id, each once. */
function renamesIn(
  before: readonly Rule[],
  after: readonly Rule[],
  now: number,
): readonly (readonly [Rule, Rule])[] {
  const [oldIds, newIds] = [before, after].map((rules) => new Set(rules.map(({ id }) => id)));
  const removed = before.filter(({ id }) => !newIds?.has(id));
  const renames: [Rule, Rule][] = [];
  for (const rule of after.filter(({ id }) => !oldIds?.has(id))) {
    const old = removed.find(
      (candidate) => isSame(candidate, rule, now) && !renames.some(([taken]) => taken === candidate),
    );
    if (old) renames.push([old, rule]);
  }
  return renames;
}

/** Whether the rule has a say: live, and not past its date. */
function isDeciding(rule: Rule, now: number): boolean {
  return rule.mode === 'live' && !isExpired(rule, now);
}

/** What differs between a rule and what it became; null where it was not there, or is gone. */
function diffRule(before: Rule | null, after: Rule | null, now: number): Difference {
  const sides = [before, after].filter((rule) => rule !== null);
  const states = detailsOf(stateOf(before, now), stateOf(after, now));
  const deciding = [
    ...detailsOf(before && decidingParts(before), after && decidingParts(after)),
    ...diffConditions(before, after),
  ];
  const told = detailsOf(before && toldParts(before), after && toldParts(after));
  const isLive = sides.map((rule) => isDeciding(rule, now));
  return {
    details: [...states, ...deciding, ...told],
    decides: isLive.includes(true) && (deciding.length > 0 || isLive.includes(false)),
  };
}

function isSame(before: Rule, after: Rule, now: number): boolean {
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
 * and the whole condition is shown.
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

type Difference = Pick<Change, 'details' | 'decides'>;

/** What is added, removed or changed of things that have an id, by id. */
function changesOf<Item extends { readonly id: string }>(
  before: readonly Item[],
  after: readonly Item[],
  diff: (before: Item | null, after: Item | null) => Difference,
): readonly (Difference & { readonly item: Item; readonly change: 'added' | 'removed' | 'changed' })[] {
  const olds = new Map(before.map((item) => [item.id, item]));
  const newIds = new Set(after.map(({ id }) => id));
  return [
    ...before
      .filter(({ id }) => !newIds.has(id))
      .map((item) => ({ item, change: 'removed' as const, ...diff(item, null) })),
    ...after.map((item) => {
      const old = olds.get(item.id) ?? null;
      return { item, change: old ? ('changed' as const) : ('added' as const), ...diff(old, item) };
    }),
  ].filter(({ details }) => details.length > 0);
}

/** Something with an id: the members that decide, and those that are only shown. */
interface Described {
  readonly id: string;
  readonly deciding: Readonly<Record<string, unknown>>;
  readonly told: Readonly<Record<string, unknown>>;
}

function diffDescribed(
  subject: Subject,
  before: readonly Described[],
  after: readonly Described[],
): readonly Change[] {
  return changesOf(before, after, (old, now) => {
    if (old && now) {
      const deciding = detailsOf(old.deciding, now.deciding);
      return { details: [...deciding, ...detailsOf(old.told, now.told)], decides: deciding.length > 0 };
    }
    const details = Object.entries({ ...(old ?? now)?.deciding, ...(old ?? now)?.told }).map(
      ([what, value]) => ({ what, before: old ? value : null, after: old ? null : value }),
    );
    return { details, decides: true };
  })
    .map(({ item, ...change }): Change => ({ subject, id: item.id, ...change, concerns: [] }))
    .toSorted(byId);
}

/** The members that differ, in the order of `before`. */
function detailsOf(
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>> | null,
): readonly Detail[] {
  return Object.keys({ ...before, ...after })
    .map((what) => ({ what, before: before?.[what] ?? null, after: after?.[what] ?? null }))
    .filter((detail) => canonicalJson(detail.before) !== canonicalJson(detail.after));
}

/** `2027-06-30`, the last day on which it holds. */
function dayOf(expires: number | null): string | null {
  return expires === null ? null : new Date(expires - 1).toISOString().slice(0, 10);
}
