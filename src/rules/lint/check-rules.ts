import { comparisonsOf, factsRead, literalsOf, toNegationNormalForm } from '../conditions.ts';
import type { Level } from '../decision.ts';
import {
  type ForceRule,
  isExpired,
  type LevelRule,
  type PointsRule,
  RISK_SCORE,
  type Rule,
  type RuleTest,
  type Threshold,
} from '../definitions.ts';
import { truthOf } from '../kleene.ts';
import type { ProblemCode, ProblemList } from '../problem.ts';
import { ALL_SCORES } from '../score.ts';
import type { Declared } from './declared.ts';
import type { ReadableFacts } from './readable-facts.ts';
import { thresholdFacts } from './worlds.ts';

/**
 * What keeps the score with a fact unknown no higher than with any value it could have had: whatever takes
 * points away, or makes an answer milder, must not depend on a fact that can be unknown.
 */
export function checkUnknown(rules: readonly Rule[], facts: ReadableFacts, problems: ProblemList): void {
  for (const rule of rules) {
    if (rule.kind === 'points' && rule.points < 0) {
      const why = 'negative points would raise the score when it is unknown';
      requireKnown(rule, 'negative_points_unknown', why, facts, problems);
    }
    if (rule.kind === 'force' && rule.action === 'ALLOW') {
      const why = 'a forced ALLOW would fall away when it is unknown';
      requireKnown(rule, 'forced_allow_unknown', why, facts, problems);
    }
  }
}

function requireKnown(
  rule: PointsRule | ForceRule,
  code: ProblemCode,
  why: string,
  facts: ReadableFacts,
  problems: ProblemList,
): void {
  const seen = new Set<string>();
  for (const comparison of comparisonsOf(rule.conditions)) {
    for (const id of factsRead(comparison)) {
      if (seen.has(id) || facts.find(id)?.isSettled !== false) continue;
      seen.add(id);
      problems.report(code, comparison.place, `${rule.id} reads ${id}, which may be unknown: ${why}`);
    }
  }
}

/**
 * A composite is worth at least what it replaces, and one that replaces another composite replaces all that
 * this one does: otherwise evidence that makes a composite fire could lower the score.
 */
export function checkAbsorption(rules: readonly Rule[], declared: Declared, problems: ProblemList): void {
  const byId = new Map(rules.filter((rule) => rule.kind === 'points').map((rule) => [rule.id, rule]));
  for (const rule of byId.values()) {
    let sum = 0;
    const seen = new Set<string>();
    for (const { id, place } of rule.absorbs) {
      const other = declared.rule(id);
      if (!other) {
        declared.reportUnknown('absorbs_unknown_rule', id, place, problems);
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
      const left = absorbed.absorbs.filter((inner) => !rule.absorbs.some((own) => own.id === inner.id));
      if (left.length > 0) {
        const names = left.map((inner) => `"${inner.id}"`).join(', ');
        problems.report('absorbs_half', place, `"${id}" absorbs ${names}: absorb that as well`);
      }
    }
    const [first] = rule.absorbs;
    if (first && seen.size > 0 && sum > rule.points) {
      const message = `${rule.id} is worth ${rule.points}, less than the ${sum} that it absorbs`;
      problems.report('absorbs_too_much', first.place, message);
    }
  }
}

const RISING: readonly string[] = ['greaterThan', 'greaterThanInclusive'];

/** Levels and actions may only become graver as the score climbs; the levels must stand in their order. */
export function checkScoreOrder(
  rules: readonly Rule[],
  thresholds: ReadonlyMap<string, Threshold>,
  problems: ProblemList,
): void {
  const sound: LevelRule[] = [];
  for (const rule of rules) {
    if (rule.kind !== 'level' && rule.kind !== 'action') continue;
    const falling = literalsOf(toNegationNormalForm(rule.conditions)).filter(
      ({ fact, operator }) => fact === RISK_SCORE && !RISING.includes(operator),
    );
    if (falling.length === 0) {
      if (rule.kind === 'level') sound.push(rule);
      continue;
    }
    const place = comparisonsOf(rule.conditions).find(({ fact }) => fact === RISK_SCORE)?.place ?? rule.place;
    const message = `${rule.id} could fire at a lower score and not at a higher one: compare risk_score by greaterThan or greaterThanInclusive alone`;
    problems.report('falls_with_score', place, message);
  }
  checkLevels(sound, thresholds, problems);
}

function checkLevels(
  rules: readonly LevelRule[],
  thresholds: ReadonlyMap<string, Threshold>,
  problems: ProblemList,
): void {
  const lowest = new Map<Level, { rule: LevelRule; score: number }>();
  for (const rule of rules) {
    if (rule.mode !== 'live') continue;
    const score = lowestScore(rule, thresholds);
    if (score === undefined) {
      problems.report('level_order', rule.place, `${rule.id} never fires: no score from 0 to 100 reaches it`);
    } else if (score < (lowest.get(rule.level)?.score ?? Infinity)) {
      lowest.set(rule.level, { rule, score });
    }
  }
  const medium = lowest.get('medium');
  const high = lowest.get('high');
  if (medium && high && high.score <= medium.score) {
    const message = `high begins at ${high.score} and medium at ${medium.score}: medium could never be the level`;
    problems.report('level_order', high.rule.place, message);
  }
}

function lowestScore(
  { conditions }: LevelRule,
  thresholds: ReadonlyMap<string, Threshold>,
): number | undefined {
  const condition = toNegationNormalForm(conditions);
  const named = thresholdFacts(thresholds);
  return ALL_SCORES.find((score) => truthOf(condition, { ...named, [RISK_SCORE]: score }));
}

/** What works and still deserves a look. */
export function checkCare(
  rules: readonly Rule[],
  facts: ReadableFacts,
  now: number,
  problems: ProblemList,
): void {
  for (const rule of rules) {
    if (isExpired(rule, now)) {
      problems.report('expired', rule.place, `${rule.id} has expired: it acts as off`);
    }
    warnOfFacts(rule, facts, problems);
  }
}

/** A live rule has a test that names it in `fired` and one that names it in `not_fired`. */
export function checkTested(
  rules: readonly Rule[],
  tests: readonly RuleTest[],
  now: number,
  problems: ProblemList,
): void {
  const fired = new Set(tests.flatMap(({ expect }) => expect.fired));
  const notFired = new Set(tests.flatMap(({ expect }) => expect.notFired));
  for (const rule of rules) {
    if (rule.mode !== 'live' || isExpired(rule, now)) continue;
    const missing = [
      ...(fired.has(rule.id) ? [] : ['in which it fires']),
      ...(notFired.has(rule.id) ? [] : ['in which it does not']),
    ];
    if (missing.length > 0) {
      problems.report('untested_rule', rule.place, `${rule.id} has no test ${missing.join(', and none ')}`);
    }
  }
}

export function checkThresholdsUsed(facts: ReadableFacts, problems: ProblemList): void {
  for (const { name, place } of facts.unreadThresholds()) {
    problems.report('unused_threshold', place, `no condition reads threshold.${name}`);
  }
}

function warnOfFacts(rule: Rule, facts: ReadableFacts, problems: ProblemList): void {
  const seen = new Set<string>();
  for (const comparison of comparisonsOf(rule.conditions)) {
    for (const id of factsRead(comparison)) {
      const fact = facts.find(id);
      if (!fact || seen.has(id)) continue;
      seen.add(id);
      if (fact.isPersonal) {
        const message = `${rule.id} reads ${id}, which quotes the address: records may not keep what it saw`;
        problems.report('personal_fact', comparison.place, message);
      }
      if (fact.isDisabled && rule.mode !== 'off') {
        const message = `${rule.id} reads ${id}, whose provider is switched off: it is unknown in every check`;
        problems.report('disabled_fact', comparison.place, message);
      }
    }
  }
}
