import { byId } from '../by-id.ts';
import { isExpired, type Rule, type RuleDefinitions, THRESHOLD_PREFIX } from '../definitions.ts';
import { comparisonsOf, factsRead } from '../negation-normal-form.ts';
import { type Detail, dayOf } from './detail.ts';
import { diffNamed, type Named, pairsOf, without } from './diff-named.ts';
import { diffRule, isDeciding, isRenamed } from './diff-rule.ts';

export type Subject =
  | 'rule'
  | 'force'
  | 'level'
  | 'action'
  | 'group'
  | 'threshold'
  | 'signal'
  | 'allow'
  | 'deny';

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
