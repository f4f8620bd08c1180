import { byId, canonicalJson } from '../lib/text.ts';
import {
  comparisonsOf,
  describeComparison,
  factsRead,
  literalsOf,
  toNegationNormalForm,
} from './conditions.ts';
import { isExpired, type Rule, type RuleDefinitions, THRESHOLD_PREFIX } from './definitions.ts';
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
    ...diffEntries('allow', before.lists.allow, after.lists.allow, now),
    ...diffEntries('deny', before.lists.deny, after.lists.deny, now),
  ];
  return [...changes.filter(({ decides }) => decides), ...changes.filter(({ decides }) => !decides)];
}

const SUBJECTS = { points: 'rule', force: 'force', level: 'level', action: 'action' } as const;

function diffAllRules(before: readonly Rule[], after: readonly Rule[], now: number): readonly Change[] {
  const [removed, added] = [without(before, after), without(after, before)];
  const renamed: [Rule, Rule][] = [];
  for (const rule of added) {
    const old = removed.find(
      (candidate) => isRenamed(candidate, rule, now) && !renamed.some(([taken]) => taken === candidate),
    );
    if (old) renamed.push([old, rule]);
  }
  const isMoved = (rule: Rule) => renamed.some((pair) => pair.includes(rule));
  const changeOf = (
    rule: Rule,
    change: Change['change'],
    details: readonly Detail[],
    decides: boolean,
  ): Change => ({
    subject: SUBJECTS[rule.kind],
    id: rule.id,
    change,
    decides,
    details,
    concerns: [],
  });
  return [
    ...renamed.map(([old, rule]) =>
      changeOf(
        rule,
        'renamed',
        [{ what: 'id', before: old.id, after: rule.id }, ...diffRule(old, rule, now).details],
        isDeciding(rule, now),
      ),
    ),
    ...added
      .filter((rule) => !isMoved(rule))
      .map((rule) => changeOf(rule, 'added', diffRule(null, rule, now).details, isDeciding(rule, now))),
    ...removed
      .filter((rule) => !isMoved(rule))
      .map((rule) => changeOf(rule, 'removed', diffRule(rule, null, now).details, isDeciding(rule, now))),
    ...pairsOf(before, after).flatMap(([old, rule]) => {
      const { details, decides } = diffRule(old, rule, now);
      return details.length === 0 ? [] : [changeOf(rule, 'changed', details, decides)];
    }),
  ].toSorted(byId);
}

function diffGroups(before: RuleDefinitions, after: RuleDefinitions, now: number): readonly Change[] {
  return diffNamed(before.groups, after.groups, ({ id, maxScore, description }) => ({
    id,
    deciding: { max_score: maxScore },
    told: { description },
  })).map((change) => {
    const rulesOf = ({ rules }: RuleDefinitions) =>
      rules.filter((rule) => rule.kind === 'points' && rule.group === change.id && isDeciding(rule, now));
    const concerns = idsOf([...rulesOf(before), ...rulesOf(after)]);
    return { ...change, subject: 'group', concerns, decides: change.decides && concerns.length > 0 };
  });
}

function diffThresholds(before: RuleDefinitions, after: RuleDefinitions, now: number): readonly Change[] {
  return diffNamed(before.thresholds, after.thresholds, ({ name, value, description }) => ({
    id: name,
    deciding: { value },
    told: { description },
  })).map((change) => {
    const reads = (rule: Rule) =>
      isDeciding(rule, now) &&
      comparisonsOf(rule.conditions).flatMap(factsRead).includes(`${THRESHOLD_PREFIX}${change.id}`);
    const concerns = idsOf([...before.rules, ...after.rules].filter(reads));
    return { ...change, subject: 'threshold', concerns, decides: change.decides && concerns.length > 0 };
  });
}

type Sections = RuleDefinitions['signals'];

/** By `provider.member`. */
function diffSignals(before: Sections, after: Sections): readonly Change[] {
  const named = (sections: Sections) =>
    Object.entries(sections).flatMap(([provider, members]) =>
      Object.entries(members).map(([member, value]) => ({ id: `${provider}.${member}`, value })),
    );
  return diffNamed(named(before), named(after), ({ id, value }) => ({
    id,
    deciding: { value },
    told: {},
  })).map((change) => ({ ...change, subject: 'signal', concerns: [] }));
}

type Entries = RuleDefinitions['lists']['allow'];

function diffEntries(
  subject: 'allow' | 'deny',
  before: Entries,
  after: Entries,
  now: number,
): readonly Change[] {
  const describe = (entry: Entries[number]) => ({
    id: entry.value,
    deciding: { in_force: !isExpired(entry, now) },
    told: { reason: entry.reason, owner: entry.owner, expires: dayOf(entry.expires) },
  });
  return diffNamed(before, after, describe).map((change) => ({ ...change, subject, concerns: [] }));
}

function idsOf(items: readonly Named[]): readonly string[] {
  return [...new Set(items.map(({ id }) => id))].sort();
}

/** Whether the rule has a say: live, and not past its date. */
function isDeciding(rule: Rule, now: number): boolean {
  return rule.mode === 'live' && !isExpired(rule, now);
}

/** What differs between a rule and what it became; null where it was not there, or is gone. */
function diffRule(
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
function isRenamed(before: Rule, after: Rule, now: number): boolean {
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

interface NamedChange {
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly decides: boolean;
  readonly details: readonly Detail[];
}

/** Something with an id: what of it decides, and what of it is told only. */
interface Described {
  readonly id: string;
  readonly deciding: Readonly<Record<string, unknown>>;
  readonly told: Readonly<Record<string, unknown>>;
}

/** What is added, removed or changed of things that have an id, by id. */
function diffNamed<Item>(
  before: readonly Item[],
  after: readonly Item[],
  describe: (item: Item) => Described,
): readonly NamedChange[] {
  const [olds, news] = [before.map(describe), after.map(describe)];
  const whole = ({ deciding, told }: Described, side: 'before' | 'after') =>
    Object.entries({ ...deciding, ...told }).map(([what, value]) =>
      side === 'before' ? { what, before: value, after: null } : { what, before: null, after: value },
    );
  return [
    ...without(news, olds).map((item) => ({
      id: item.id,
      change: 'added' as const,
      decides: true,
      details: whole(item, 'after'),
    })),
    ...without(olds, news).map((item) => ({
      id: item.id,
      change: 'removed' as const,
      decides: true,
      details: whole(item, 'before'),
    })),
    ...pairsOf(olds, news).flatMap(([old, item]) => {
      const deciding = detailsOf(old.deciding, item.deciding);
      const details = [...deciding, ...detailsOf(old.told, item.told)];
      const changed = { id: item.id, change: 'changed' as const, decides: deciding.length > 0, details };
      return details.length === 0 ? [] : [changed];
    }),
  ].toSorted(byId);
}

interface Named {
  readonly id: string;
}

function without<Item extends Named>(items: readonly Item[], others: readonly Named[]): readonly Item[] {
  const known = new Set(others.map(({ id }) => id));
  return items.filter(({ id }) => !known.has(id));
}

/** Those that are on both sides. */
function pairsOf<Item extends Named>(
  before: readonly Item[],
  after: readonly Item[],
): readonly [Item, Item][] {
  const olds = new Map(before.map((item) => [item.id, item]));
  return after.flatMap((item): [Item, Item][] => {
    const old = olds.get(item.id);
    return old ? [[old, item]] : [];
  });
}

/** One member that is another now; null where there is none on that side. */
export interface Detail {
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The members that differ, in the order of `before`. */
function detailsOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly Detail[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((what) => ({ what, before: before[what] ?? null, after: after[what] ?? null }))
    .filter((detail) => canonicalJson(detail.before) !== canonicalJson(detail.after));
}

/** `2027-06-30`, the last day on which it holds. */
function dayOf(expires: number | null): string | null {
  return expires === null ? null : new Date(expires - 1).toISOString().slice(0, 10);
}
