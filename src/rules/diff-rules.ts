import { canonicalJson, compareTexts, without } from '../lib/text.ts';
import { DAY_MS } from '../lib/time.ts';
import { describeComparison } from './conditions.ts';
import {
  effectOf,
  isExpired,
  type NormalCondition,
  type Rule,
  type RuleDefinitions,
  THRESHOLD_PREFIX,
} from './definitions.ts';

/** In the order in which changes are told. */
const SUBJECTS = [
  'rule',
  'force',
  'level',
  'action',
  'group',
  'threshold',
  'signal',
  'allow',
  'deny',
] as const;
type Subject = (typeof SUBJECTS)[number];

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
  const rules = [...before.rules, ...after.rules].filter((rule) => isDeciding(rule, now));
  const [olds, news] = [before, after].map((definitions) => {
    const items = itemsOf(definitions, rules, now);
    return new Map(items.map((item) => [`${item.subject} ${item.id}`, item]));
  }) as [Map<string, Item>, Map<string, Item>];
  const gone = new Set([...olds].filter(([key]) => !news.has(key)).map(([, item]) => item));
  const changes = [...news].map(([key, item]) => {
    const old = olds.get(key);
    if (old) return changeOf('changed', old, item);
    const renamed = [...gone].find((candidate) => isRenamed(candidate, item));
    if (!renamed) return changeOf('added', null, item);
    gone.delete(renamed);
    return changeOf('renamed', renamed, item);
  });
  const removed = [...gone].map((item) => changeOf('removed', item, null));
  return [...changes, ...removed]
    .filter(({ details }) => details.length > 0)
    .toSorted(
      (one, other) =>
        Number(other.decides) - Number(one.decides) ||
        SUBJECTS.indexOf(one.subject) - SUBJECTS.indexOf(other.subject) ||
        compareTexts(one.id, other.id),
    );
}

type Members = Readonly<Record<string, unknown>>;

/** Something with an id, as its members are told. */
interface Item {
  readonly subject: Subject;
  readonly id: string;
  /** Whether it has a say: live, in force, or read by a rule that is. */
  readonly isLive: boolean;
  readonly deciding: Members;
  /** What decides nothing by itself. How the thing stands is among it, and decides by `isLive`. */
  readonly told: Members;
  readonly condition?: NormalCondition;
  readonly concerns: readonly string[];
}

const PLAIN = { isLive: true, deciding: {}, told: {}, concerns: [] };

/** `rules`: those in force on either side, by which thresholds and groups decide. */
function itemsOf(definitions: RuleDefinitions, rules: readonly Rule[], now: number): readonly Item[] {
  const { groups, thresholds, signals, lists } = definitions;
  const concerning = (concerned: readonly Rule[]) => {
    const concerns = [...new Set(concerned.map(({ id }) => id))].sort();
    return { ...PLAIN, isLive: concerns.length > 0, concerns };
  };
  const entriesOf = (subject: 'allow' | 'deny') => {
    const entries = lists[subject].map(({ value: id, reason, owner, expires }) => {
      const isLive = !isExpired({ expires }, now);
      return { id, isLive, told: { in_force: isLive, reason, owner, expires: endOf(expires) } };
    });
    // In one order on both sides, for an entry that stands there twice.
    const sorted = entries.toSorted((a, b) => compareTexts(canonicalJson(a.told), canonicalJson(b.told)));
    return [...Map.groupBy(sorted, ({ id }) => id)].flatMap(([value, same]) =>
      same.map((entry, index): Item => {
        const id = index === 0 ? value : `${value} (${index + 1})`;
        return { ...PLAIN, ...entry, subject, id };
      }),
    );
  };
  return [
    ...definitions.rules.map((rule) => itemOf(rule, now)),
    ...groups.map(({ id, maxScore, description }): Item => {
      const members = rules.filter((rule) => rule.kind === 'points' && rule.group === id);
      const deciding = { max_score: maxScore };
      return { ...concerning(members), subject: 'group', id, deciding, told: { description } };
    }),
    ...thresholds.map(({ name, value, description }): Item => {
      const readers = rules.filter(({ reads }) => reads.includes(`${THRESHOLD_PREFIX}${name}`));
      return {
        ...concerning(readers),
        subject: 'threshold',
        id: name,
        deciding: { value },
        told: { description },
      };
    }),
    ...Object.entries(signals).flatMap(([provider, members]) =>
      Object.entries(members).map(([member, value]): Item => {
        const id = `${provider}.${member}`;
        return { ...PLAIN, subject: 'signal', id, deciding: { value } };
      }),
    ),
    ...entriesOf('allow'),
    ...entriesOf('deny'),
  ];
}

function itemOf(rule: Rule, now: number): Item {
  const { id, description, owner, expires, mode } = rule;
  const { kind, ...deciding } = effectOf(rule);
  const isLive = isDeciding(rule, now);
  return {
    ...PLAIN,
    subject: kind === 'points' ? 'rule' : kind,
    id,
    isLive,
    deciding,
    condition: rule.condition,
    told: {
      mode: mode === 'live' && !isLive ? 'expired' : mode,
      description,
      owner,
      expires: endOf(expires),
    },
  };
}

function isDeciding(rule: Rule, now: number): boolean {
  return rule.mode === 'live' && !isExpired(rule, now);
}

function isRenamed(old: Item, item: Item): boolean {
  const parts = ({ subject, deciding, told: { mode }, condition }: Item) =>
    condition && canonicalJson([subject, mode, deciding, describe(condition)]);
  return item.condition !== undefined && parts(old) === parts(item);
}

/** What differs between a thing and what it became; null where it was not there, or is gone. */
function changeOf(change: Change['change'], before: Item | null, after: Item | null): Change {
  const { subject, id, concerns } = (after ?? before) as Item;
  const deciding = [
    ...detailsOf(before?.deciding, after?.deciding),
    ...diffConditions(before?.condition, after?.condition),
  ];
  const details = [
    ...detailsOf(change === 'renamed' ? { id: before?.id } : {}, change === 'renamed' ? { id } : {}),
    ...deciding,
    ...detailsOf(before?.told, after?.told),
  ];
  const lives = [before?.isLive ?? false, after?.isLive ?? false];
  const isOther = deciding.length > 0 || change === 'renamed' || lives.includes(false);
  return { subject, id, change, decides: lives.includes(true) && isOther, details, concerns };
}

function detailsOf(before: Members = {}, after: Members = {}): readonly Detail[] {
  return Object.keys({ ...before, ...after })
    .map((what) => ({ what, before: before[what] ?? null, after: after[what] ?? null }))
    .filter((detail) => canonicalJson(detail.before) !== canonicalJson(detail.after));
}

/** The parts, `not` resolved, that stand on one side only; where these are combined otherwise, the conditions as a whole. */
function diffConditions(before?: NormalCondition, after?: NormalCondition): readonly Detail[] {
  const isSameWord = before && after && wordOf(before) === wordOf(after);
  const textsOf = (condition?: NormalCondition) => {
    if (!condition) return [];
    return isSameWord ? partsOf(condition) : [describe(condition)];
  };
  const [olds, news] = [textsOf(before), textsOf(after)];
  const detail = { what: 'condition', before: without(olds, news), after: without(news, olds) };
  return detail.before.length + detail.after.length > 0 ? [detail] : [];
}

function wordOf(condition: NormalCondition): 'all' | 'any' | undefined {
  if ('fact' in condition) return undefined;
  return 'all' in condition ? 'all' : 'any';
}

/** Sorted: the order of parts, and of words in a list, means nothing. */
function partsOf(condition: NormalCondition): readonly string[] {
  if ('fact' in condition) return [describe(condition)];
  return ('all' in condition ? condition.all : condition.any).map(describe).sort();
}

function describe(condition: NormalCondition): string {
  if (!('fact' in condition)) return `${wordOf(condition)}(${partsOf(condition).join('; ')})`;
  const { value } = condition;
  return describeComparison(Array.isArray(value) ? { ...condition, value: value.toSorted() } : condition);
}

/** `2027-06-30`, the last day on which it holds, or the moment from which it does not. */
function endOf(expires: number | null): string | null {
  if (expires === null) return null;
  return expires % DAY_MS === 0
    ? new Date(expires - 1).toISOString().slice(0, 10)
    : new Date(expires).toISOString();
}
