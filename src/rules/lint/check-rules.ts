import { comparisonsOf, factsIn, factsRead, literalsOf } from '../conditions.ts';
import {
  type Condition,
  isExpired,
  type LevelRule,
  LIST_PREFIX,
  RISK_SCORE,
  type Rule,
  type RuleTest,
  THRESHOLD_PREFIX,
} from '../definitions.ts';
import type { Place, ProblemList } from '../problem.ts';
import { ALL_SCORES } from '../score.ts';
import type { LintContext, ReadableFact } from './context.ts';
import type { Logic } from './worlds.ts';

/** Each fact and threshold that a condition reads, and where it first does; `what` names it for messages. */
function readingsOf(
  condition: Condition,
  { facts }: LintContext,
): readonly { readonly fact: ReadableFact; readonly what: string; readonly place: Place }[] {
  const readings = comparisonsOf(condition).flatMap((comparison) =>
    factsRead(comparison).map((id) => [id, comparison] as const),
  );
  // Reversed, since a map keeps the last entry of a key, and the first is wanted.
  return [...new Map(readings.toReversed())].flatMap(([id, { place, by }]) => {
    const fact = facts.get(id);
    return fact ? [{ fact, what: by === undefined ? id : `${id} by the condition ${by}`, place }] : [];
  });
}

/**
 * Keeps the score with a fact unknown no higher than with any value of that fact: a rule that takes points
 * away, or that forces ALLOW, must not read a fact that can be unknown.
 */
export function checkUnknown(rules: readonly Rule[], context: LintContext): void {
  for (const rule of rules) {
    const takesPoints = rule.kind === 'points' && rule.points < 0;
    const isMilder = rule.kind === 'force' && rule.action === 'ALLOW';
    if (!takesPoints && !isMilder) continue;
    const code = takesPoints ? 'negative_points_unknown' : 'forced_allow_unknown';
    const why = takesPoints
      ? 'negative points would raise the score when it is unknown'
      : 'a forced ALLOW would fall away when it is unknown';
    for (const { fact, what, place } of readingsOf(rule.conditions, context)) {
      // A fact that is switched off is unknown in every decision, so it cannot make scores differ.
      if (fact.never_unknown || fact.disabled) continue;
      const message = `${rule.id} reads ${what}, which may be unknown: ${why}`;
      context.problems.report(code, place, message);
    }
  }
}

/**
 * A composite must be worth at least what it absorbs, and one that absorbs another composite must absorb all that
 * the other one absorbs. Otherwise evidence that makes a composite fire could lower the score.
 */
export function checkAbsorption(
  all: readonly Rule[],
  { rules: declared, problems }: Pick<LintContext, 'rules' | 'problems'>,
): void {
  const byId = new Map(all.filter((rule) => rule.kind === 'points').map((rule) => [rule.id, rule]));
  for (const rule of byId.values()) {
    let sum = 0;
    const seen = new Set<string>();
    for (const { id, place } of rule.absorbsAt) {
      const other = declared.get(id);
      if (!other) {
        declared.reportMissing('absorbs_unknown_rule', id, place);
        continue;
      }
      if (other.kind !== 'points' || other.group !== rule.group) {
        problems.report('absorbs_other_group', place, `"${id}" is not a rule of group ${rule.group}`);
        continue;
      }
      if (id === rule.id || seen.has(id)) {
        const message = id === rule.id ? 'a rule cannot absorb itself' : `"${id}" stands here twice`;
        problems.report('absorbs_half', place, message);
        continue;
      }
      seen.add(id);
      const absorbed = byId.get(id);
      if (!absorbed) continue;
      sum += absorbed.points;
      if (absorbed.points < 0) {
        const message = `"${id}" takes points away: absorbing it would raise the score twice`;
        problems.report('absorbs_negative', place, message);
      }
      const left = absorbed.absorbs.filter((inner) => !rule.absorbs.includes(inner));
      if (left.length > 0) {
        const names = left.map((inner) => `"${inner}"`).join(', ');
        problems.report('absorbs_half', place, `"${id}" absorbs ${names}: absorb that as well`);
      }
    }
    const [first] = rule.absorbsAt;
    if (first && seen.size > 0 && sum > rule.points) {
      const message = `${rule.id} is worth ${rule.points}, less than the ${sum} that it absorbs`;
      problems.report('absorbs_too_much', first.place, message);
    }
  }
}

const RISING: readonly string[] = ['greaterThan', 'greaterThanInclusive'];

/** Levels and actions may only become graver as the score rises; `medium` must begin below `high`. */
export function checkScoreOrder(rules: readonly Rule[], logic: Logic, problems: ProblemList): void {
  const sound: LevelRule[] = [];
  for (const rule of rules) {
    if (rule.kind !== 'level' && rule.kind !== 'action') continue;
    const isFalling = literalsOf(rule.condition).some(
      ({ fact, operator }) => fact === RISK_SCORE && !RISING.includes(operator),
    );
    if (isFalling) {
      const read = comparisonsOf(rule.conditions).find(({ fact }) => fact === RISK_SCORE);
      const message = `${rule.id} could fire at a lower score and not at a higher one: compare risk_score by greaterThan or greaterThanInclusive alone`;
      problems.report('falls_with_score', read?.place ?? rule.place, message);
    } else if (rule.kind === 'level' && rule.mode === 'live') {
      sound.push(rule);
    }
  }
  checkLevels(sound, logic, problems);
}

function checkLevels(rules: readonly LevelRule[], logic: Logic, problems: ProblemList): void {
  const begins = rules.flatMap((rule) => {
    const score = ALL_SCORES.find((candidate) => logic.firesAt(candidate, rule.condition));
    if (score !== undefined) return [{ rule, score }];
    const message = `${rule.id} never fires: no score from 0 to 100 reaches it`;
    return problems.report('level_order', rule.place, message) ?? [];
  });
  const ascending = begins.toSorted((one, other) => one.score - other.score);
  const medium = ascending.find(({ rule }) => rule.level === 'medium');
  const high = ascending.find(({ rule }) => rule.level === 'high');
  if (medium && high && high.score <= medium.score) {
    const message = `high begins at ${high.score} and medium at ${medium.score}: medium could never be the level`;
    problems.report('level_order', high.rule.place, message);
  }
}

/** Warnings about rules that work but deserve a look. */
export function checkCare(rules: readonly Rule[], context: LintContext, now: number): void {
  const { problems } = context;
  for (const rule of rules) {
    const { id, place, mode, expires, conditions } = rule;
    if (rule.kind === 'points' && rule.rollout !== null && mode !== 'live') {
      const message = `${id} is ${mode === 'off' ? 'off' : 'in shadow'}: its rollout does nothing until it is live`;
      problems.report('idle_rollout', rule.rollout.place, message);
    }
    if (isExpired({ expires }, now)) problems.report('expired', place, `${id} has expired: it acts as off`);
    for (const reading of readingsOf(conditions, context)) {
      const { fact, what } = reading;
      if (fact.personal === true) {
        const message = `${id} reads ${what}, which quotes the address: records may not keep what it saw`;
        problems.report('personal_fact', reading.place, message);
      }
      if (fact.disabled && mode !== 'off') {
        const message = `${id} reads ${what}, whose provider is switched off: it is unknown in every check`;
        problems.report('disabled_fact', reading.place, message);
      }
    }
  }
}

/** Reports a rule that no test names in `fired`, or that no test names in `not_fired`. */
export function checkTested(
  inForce: readonly Rule[],
  tests: readonly RuleTest[],
  problems: ProblemList,
): void {
  const fired = new Set(tests.flatMap(({ expect }) => expect.fired));
  const notFired = new Set(tests.flatMap(({ expect }) => expect.notFired));
  for (const { id, place } of inForce) {
    const missing = [
      ...(fired.has(id) ? [] : ['in which it fires']),
      ...(notFired.has(id) ? [] : ['in which it does not']),
    ];
    if (missing.length === 0) continue;
    problems.report('untested_rule', place, `${id} has no test ${missing.join(', and none ')}`);
  }
}

/** Reports thresholds and lists that no condition reads. */
export function checkConstantsUsed(
  conditions: readonly Pick<Rule, 'condition'>[],
  { lists, thresholds, problems }: Pick<LintContext, 'lists' | 'thresholds' | 'problems'>,
): void {
  const read = new Set(conditions.flatMap(({ condition }) => factsIn(condition)));
  for (const { name, place } of thresholds.values()) {
    if (read.has(`${THRESHOLD_PREFIX}${name}`)) continue;
    problems.report('unused_threshold', place, `no condition reads threshold.${name}`);
  }
  for (const { name, place } of lists.values()) {
    if (read.has(`${LIST_PREFIX}${name}`)) continue;
    problems.report('unused_list', place, `no condition looks into the list ${name}`);
  }
}
