import { LEVELS } from '../decision.ts';
import { type LevelRule, type PointsRule, RISK_SCORE, type Rule, type RuleGroup } from '../definitions.ts';
import type { Place, ProblemList } from '../problem.ts';
import { addUp, HIGHEST_SCORE, LOWEST_SCORE, type Scored, totalOf } from '../score.ts';
import { ascending } from '../telling-values.ts';
import type { Logic } from './worlds.ts';

interface RulesInForce {
  readonly rules: readonly Rule[];
  readonly groups: readonly RuleGroup[];
  readonly placeOf: (section: 'levels' | 'actions') => Place;
}

/** Reports points that never count, and levels and actions that the points never reach. */
export function checkReach(
  { rules, groups, placeOf }: RulesInForce,
  logic: Logic,
  problems: ProblemList,
): void {
  const points = rules.filter((rule) => rule.kind === 'points');
  const sums = groups.map((group) => {
    const members = points.filter((rule) => rule.group === group.id);
    const worlds = logic.firedTogether(members);
    checkCap(group, members, worlds ?? [], problems);
    return sumsOf(group, members, worlds);
  });
  const scores = ascending(addAll(sums).map((sum) => Math.min(Math.max(sum, LOWEST_SCORE), HIGHEST_SCORE)));
  const levels = rules.filter((rule) => rule.kind === 'level');
  checkLevelsReached(levels, scores, logic, placeOf('levels'), problems);
  const actions = rules.filter((rule) => rule.kind === 'action');
  if (actions.length === 0) {
    const message = 'no action is in force: whatever the score, only a forced action can say BLOCK';
    problems.report('action_gap', placeOf('actions'), message);
  }
  for (const rule of actions) {
    const { condition, reads } = rule;
    if (!reads.includes(RISK_SCORE)) continue;
    if (!logic.canFire(condition) || logic.canFire(condition, scores)) continue;
    const message = `${rule.id} never fires: the rules in force give ${scores.at(-1)} at most`;
    problems.report('unreachable_score', rule.place, message);
  }
}

/** The rules of a group that fire together, for each way in which they can. */
type Worlds = readonly (readonly PointsRule[])[];

function checkCap(
  { id: group, maxScore }: RuleGroup,
  members: readonly PointsRule[],
  worlds: Worlds,
  problems: ProblemList,
): void {
  const most = members.reduce((sum, { points }) => sum + Math.max(points, 0), 0);
  const absorbed = members.flatMap(({ absorbs }) => absorbs);
  /** Whether the other rules may fill the cap without this one. False for composites and their parts, which `checkOverlap` judges. */
  const isCrowdedOut = ({ id, points, absorbs }: Scored) =>
    most - points >= maxScore && absorbs.length === 0 && !absorbed.includes(id);
  for (const rule of members) {
    const { id, points, place } = rule;
    if (points < 0) continue;
    const own = isCrowdedOut(rule) ? worlds.filter((fired) => fired.includes(rule)) : [];
    const isFullWithout = (fired: readonly Scored[]) => {
      const others = fired.filter((other) => other !== rule);
      return totalOf(addUp(others, {})) >= maxScore;
    };
    if (own.length > 0 && own.every(isFullWithout)) {
      const message = `${id} never counts: without it group ${group} is at its max_score of ${maxScore} already`;
      problems.report('unreachable_rule', place, message);
    } else if (points > maxScore) {
      const message = `${id} is worth ${points}, and group ${group} counts up to ${maxScore}`;
      problems.report('points_over_cap', place, message);
    }
  }
}

function checkLevelsReached(
  rules: readonly LevelRule[],
  scores: readonly number[],
  logic: Logic,
  levelsPlace: Place,
  problems: ProblemList,
): void {
  const given = (score: number) =>
    LEVELS.findLast((level) =>
      rules.some((rule) => rule.level === level && logic.firesAt(score, rule.condition)),
    );
  const reached = new Set(scores.map(given));
  for (const level of LEVELS) {
    if (level === 'low' || reached.has(level)) continue;
    const rule = rules.find((candidate) => candidate.level === level);
    if (!rule) {
      const place = rules[0]?.place ?? levelsPlace;
      problems.report('level_gap', place, `no level in force is ${level}: no score has it`);
      continue;
    }
    // The highest score is below the level, or no score lies within it.
    const above = scores.find((score) => logic.firesAt(score, rule.condition));
    const below = scores.findLast((score) => score < (above ?? 0)) ?? 0;
    const given =
      above === undefined ? `${scores.at(-1)} at most` : `${below} or ${above}, and no score between`;
    const message = `the level is never ${level}: the rules in force give ${given}`;
    problems.report('unreachable_score', rule.place, message);
  }
}

/**
 * What a group can come to, ascending. Groups count as independent of each other, and where there are too many worlds (undefined) the rules
 * too: there may be sums here that no facts come to, but none is missing.
 */
function sumsOf({ id, maxScore }: RuleGroup, members: readonly PointsRule[], worlds?: Worlds) {
  if (worlds) return ascending(worlds.map((fired) => totalOf(addUp(fired, { [id]: maxScore }))));
  const any = addAll(members.map(({ points }) => [0, points]));
  return ascending(any.map((sum) => Math.min(sum, maxScore)));
}

/** Every sum of one number from each list, ascending, each once. */
function addAll(all: readonly (readonly number[])[]): readonly number[] {
  let sums: readonly number[] = [0];
  for (const more of all) sums = ascending(sums.flatMap((sum) => more.map((other) => sum + other)));
  return sums;
}
