import { hash } from 'node:crypto';
import { canonicalJson, compareTexts } from '../lib/text.ts';
import { DAY_MS, isoDay, isoTime } from '../lib/time.ts';
import { namesUsed } from './conditions.ts';
import {
  effectOf,
  isExpired,
  isInTime,
  isToCome,
  LIST_PREFIX,
  type NormalCondition,
  type Rollout,
  type Rule,
  type RuleDefinitions,
  THRESHOLD_PREFIX,
} from './definitions.ts';
import { type Detail, describe, diffConditions, textWithNames, turnedNames } from './diff-conditions.ts';

/** In the order in which changes are listed. */
const SUBJECTS = [
  'rule',
  'force',
  'level',
  'action',
  'group',
  'threshold',
  'condition',
  'signal',
  'list',
  'allow',
  'deny',
] as const;
type Subject = (typeof SUBJECTS)[number];

export interface Change {
  readonly subject: Subject;
  /** For a renamed rule, the new id. */
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed' | 'renamed';
  /** Whether the change can alter an action, a level, a score or a ledger, with the rules in force at `now`. */
  readonly decides: boolean;
  readonly details: readonly Detail[];
  /** Sorted ids of the rules that a changed threshold, named condition, list or group concerns. */
  readonly concerns: readonly string[];
}

/**
 * All that has another meaning in `after`. Not the order of files, rules, conditions or lists, nor another way to write the same
 * condition. Changes that decide come first; then by subject and id. `now` settles what has started and what has expired.
 */
export function diffRules(before: RuleDefinitions, after: RuleDefinitions, now: number): readonly Change[] {
  const decidingOf = ({ rules }: RuleDefinitions) => rules.filter((rule) => isDeciding(rule, now));
  const [oldRules, newRules] = [decidingOf(before), decidingOf(after)];
  const rules = [...oldRules, ...newRules];
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
  const turned = turnedNames(oldRules, newRules);
  return (
    [...changes, ...removed]
      .map((change) => (change.subject === 'condition' ? ofCondition(change, turned) : change))
      // An added or removed list may be empty: it has no details, but is a change.
      .filter(({ change, details }) => change !== 'changed' || details.length > 0)
      .toSorted(
        (one, other) =>
          Number(other.decides) - Number(one.decides) ||
          SUBJECTS.indexOf(one.subject) - SUBJECTS.indexOf(other.subject) ||
          compareTexts(one.id, other.id),
      )
  );
}

type Members = Readonly<Record<string, unknown>>;

/** One thing to compare, with the members that changes show. */
interface Item {
  readonly subject: Subject;
  readonly id: string;
  /** Whether it can affect decisions: a live rule or an entry in force, or read by a live rule in force. */
  readonly isLive: boolean;
  readonly deciding: Members;
  /** Members that decide nothing by themselves. `mode` and `in_force` are among them, and decide through `isLive`. */
  readonly told: Members;
  readonly condition?: NormalCondition;
  /** The condition with names left as names: where equal on both sides, a difference is shown at the named condition instead. */
  readonly written?: string;
  /** Compared before a rule counts as renamed: without its own salt it chooses other people under another id. */
  readonly rollout?: Pick<Rollout, 'percent' | 'salt'>;
  /** For a named list: the keys of its entries in force. */
  readonly entries?: ReadonlySet<string>;
  readonly concerns: readonly string[];
}

const PLAIN = { isLive: true, deciding: {}, told: {}, concerns: [] };

/** `rules`: the live rules in force on either side; a threshold, list or group decides only where one of them uses it. */
function itemsOf(definitions: RuleDefinitions, rules: readonly Rule[], now: number): readonly Item[] {
  const { groups, thresholds, conditions, signals, lists, namedLists } = definitions;
  const concerning = (isConcerned: (rule: Rule) => boolean) => {
    const concerns = [...new Set(rules.filter(isConcerned).map(({ id }) => id))].sort();
    return { ...PLAIN, isLive: concerns.length > 0, concerns };
  };
  const reading = (id: string) => concerning(({ reads }) => reads.includes(id));
  const entriesOf = (subject: 'allow' | 'deny') => {
    const entries = lists[subject].map(({ value: id, reason, owner, expires }) => {
      const isLive = !isExpired({ expires }, now);
      return { id, isLive, told: { in_force: isLive, reason, owner, expires: dateOf(expires, 'last') } };
    });
    // Sorted, so that entries with the same value are numbered alike on both sides.
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
      const members = concerning((rule) => rule.kind === 'points' && rule.group === id);
      return { ...members, subject: 'group', id, deciding: { max_score: maxScore }, told: { description } };
    }),
    ...thresholds.map(({ name: id, value, description }): Item => {
      const readers = reading(`${THRESHOLD_PREFIX}${id}`);
      return { ...readers, subject: 'threshold', id, deciding: { value }, told: { description } };
    }),
    ...conditions.map(({ name: id, description, owner, condition, conditions: meaning }): Item => {
      const users = concerning((rule) => namesUsed(rule.conditions).includes(id));
      const written = textWithNames(meaning);
      return { ...users, subject: 'condition', id, condition, written, told: { description, owner } };
    }),
    ...Object.entries(signals).flatMap(([provider, members]) =>
      Object.entries(members).map(([member, value]): Item => {
        const id = `${provider}.${member}`;
        return { ...PLAIN, subject: 'signal', id, deciding: { value } };
      }),
    ),
    ...namedLists.map(({ name: id, description, owner, entries }): Item => {
      const inForce = entries.filter((entry) => !isExpired(entry, now)).map(({ key }) => key);
      // Reasons, owners and ends are compared by a hash: 100,000 reasons are too much to show.
      const notes = entries.filter(
        ({ reason, owner, expires }) => reason !== null || owner !== null || expires !== null,
      );
      const beside = notes.map(({ key, reason, owner, expires }) => [key, reason, owner, expires]);
      return {
        ...reading(`${LIST_PREFIX}${id}`),
        subject: 'list',
        id,
        entries: new Set(inForce),
        told: { description, owner, ...(beside.length > 0 && { notes: notesOf(beside) }) },
      };
    }),
    ...entriesOf('allow'),
    ...entriesOf('deny'),
  ];
}

function itemOf(rule: Rule, now: number): Item {
  const { id, description, owner, starts, expires, mode } = rule;
  const { kind, ...effect } = effectOf(rule);
  const isLive = isDeciding(rule, now);
  const rollout = rule.kind === 'points' ? rule.rollout : null;
  const deciding = { ...effect, ...(rollout && { rollout: describeRollout(rollout, id) }) };
  return {
    ...PLAIN,
    ...(rollout && { rollout: { percent: rollout.percent, salt: rollout.salt } }),
    subject: kind === 'points' ? 'rule' : kind,
    id,
    isLive,
    deciding,
    condition: rule.condition,
    written: textWithNames(rule.conditions),
    told: {
      mode: mode !== 'live' || isLive ? mode : isToCome(rule, now) ? 'not_started' : 'expired',
      description,
      owner,
      starts: dateOf(starts, 'first'),
      expires: dateOf(expires, 'last'),
    },
  };
}

function isDeciding(rule: Rule, now: number): boolean {
  return rule.mode === 'live' && isInTime(rule, now);
}

function isRenamed(old: Item, item: Item): boolean {
  const parts = ({ subject, deciding, told: { mode }, condition, rollout }: Item) =>
    condition &&
    canonicalJson([subject, mode, { ...deciding, rollout: rollout ?? null }, describe(condition)]);
  return item.condition !== undefined && parts(old) === parts(item);
}

/** The difference between a thing before and after; null on the side where it does not exist. */
function changeOf(change: Change['change'], before: Item | null, after: Item | null): Change {
  const { subject, id, concerns } = (after ?? before) as Item;
  const deciding = [
    ...detailsOf(before?.deciding, after?.deciding).map((detail) =>
      detail.what === 'rollout' && before && after ? toEveryone(detail, before, after) : detail,
    ),
    ...(before && before.written === after?.written
      ? []
      : diffConditions(before?.condition, after?.condition)),
    ...diffEntries(before?.entries, after?.entries),
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

/** A named condition decides only where its meaning changed, and with it a rule in force that uses it both before and after. */
function ofCondition(change: Change, turned: ReadonlySet<string>): Change {
  const isOther = change.change === 'changed' && change.details.some(({ what }) => what === 'condition');
  return { ...change, decides: isOther && turned.has(change.id) };
}

/** `25 %`, or `25 % by salt may` */
function describeRollout({ percent, salt }: Rollout, id: string): string {
  return `${percent} %${salt === id ? '' : ` by salt ${salt}`}`;
}

/** A rule in force that is not rolled out counts for everyone: "none" would say the contrary. In shadow it counts for no person. */
function toEveryone(detail: Detail, old: Item, now: Item): Detail {
  const peopleOf = (rollout: unknown, { isLive }: Item) => rollout ?? (isLive ? 'everyone' : null);
  return { ...detail, before: peopleOf(detail.before, old), after: peopleOf(detail.after, now) };
}

function detailsOf(before: Members = {}, after: Members = {}): readonly Detail[] {
  return Object.keys({ ...before, ...after })
    .map((what) => ({ what, before: before[what] ?? null, after: after[what] ?? null }))
    .filter((detail) => canonicalJson(detail.before) !== canonicalJson(detail.after));
}

/** The most entries of a list that are named on each side; the rest are counted. */
const MOST_ENTRIES_TOLD = 20;

function diffEntries(
  before: ReadonlySet<string> = new Set(),
  after: ReadonlySet<string> = new Set(),
): readonly Detail[] {
  const told = (some: ReadonlySet<string>, others: ReadonlySet<string>) => {
    const entries = [...some.difference(others)].sort();
    const more = entries.length - MOST_ENTRIES_TOLD;
    return more <= 0 ? entries : [...entries.slice(0, MOST_ENTRIES_TOLD), `${more} more`];
  };
  const detail = { what: 'entries', before: told(before, after), after: told(after, before) };
  return detail.before.length + detail.after.length > 0 ? [detail] : [];
}

/** `12 with a reason, an owner or an end (1f3a)`: the digest tells two such sets apart. */
function notesOf(beside: readonly unknown[]): string {
  const digest = hash('sha256', canonicalJson(beside)).slice(0, 4);
  return `${beside.length} with a reason, an owner or an end (${digest})`;
}

/** `2027-06-30`, the first or the last day in UTC on which it holds; the moment itself where that is not midnight UTC. */
function dateOf(moment: number | null, edge: 'first' | 'last'): string | null {
  if (moment === null) return null;
  if (moment % DAY_MS !== 0) return isoTime(moment);
  return isoDay(edge === 'last' ? moment - DAY_MS : moment);
}
