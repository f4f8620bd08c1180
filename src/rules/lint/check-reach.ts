import { LEVELS, type Level } from '../decision.ts';
import { type LevelRule, type PointsRule, RISK_SCORE, type Rule, type RuleGroup } from '../definitions.ts';
import {
  factsRead,
  literalsOf,
  type NormalCondition,
  toNegationNormalForm,
} from '../negation-normal-form.ts';
import type { Place, ProblemList } from '../problem.ts';
import type { Domain } from './worlds/domains.ts';
import { fires, type Verdict, type World } from './worlds/find-world.ts';
import type { Logic } from './worlds/logic.ts';
import { reachableScores } from './worlds/reachable-scores.ts';

export interface RulesInForce {
  readonly rules: readonly Rule[];
  readonly groups: readonly RuleGroup[];
  /** Where decision.yaml lists its levels. */
  readonly levelsPlace: Place;
}

/** For each rule of a crowded group; a group of ten takes a few hundred. */
const MOST_STEPS = 2000;

/** Points that never count, and levels and actions that the points never reach. */
export function checkReach(
  { rules, groups, levelsPlace }: RulesInForce,
  logic: Logic,
  problems: ProblemList,
): void {
  const points = rules.filter((rule) => rule.kind === 'points');
  for (const group of groups) checkCap(group, points, logic, problems);
  const scores = reachableScores(groups, points, logic);
  const levels = rules.filter((rule) => rule.kind === 'level');
  checkLevelsReached(levels, scores, logic, levelsPlace, problems);
  for (const rule of rules) {
    if (rule.kind !== 'action') continue;
    const condition = toNegationNormalForm(rule.conditions);
    if (!literalsOf(condition).some(({ fact }) => fact === RISK_SCORE)) continue;
    if (!logic.canFire(condition, 'all_known') || logic.canFire(condition, 'all_known', scores)) continue;
    const message = `${rule.id} never fires: ${most(scores)}`;
    problems.report('unreachable_score', rule.place, message);
  }
}

function checkCap(
  group: RuleGroup,
  points: readonly PointsRule[],
  logic: Logic,
  problems: ProblemList,
): void {
  const own = points.filter((rule) => rule.group === group.id);
  const most = own.reduce((sum, rule) => sum + Math.max(rule.points, 0), 0);
  const isCrowdedFor = ({ points }: PointsRule) => points >= 0 && most - points >= group.maxScore;
  const crowd = own.some(isCrowdedFor) ? crowdOf(own, logic) : undefined;
  for (const rule of own) {
    if (rule.points < 0) continue;
    const isComposed = rule.absorbs.length > 0 || isAbsorbed(rule, own);
    if (crowd && isCrowdedFor(rule) && !isComposed && !couldCount(rule, crowd, group, logic)) {
      const message = `${rule.id} never counts: without it group ${group.id} is at its max_score of ${group.maxScore} already`;
      problems.report('unreachable_rule', rule.place, message);
    } else if (rule.points > group.maxScore) {
      const message = `${rule.id} is worth ${rule.points}, and group ${group.id} counts up to ${group.maxScore}`;
      problems.report('points_over_cap', rule.place, message);
    }
  }
}

/** The rules of a group that is full before all of them count. */
interface Crowd {
  readonly members: readonly { readonly rule: PointsRule; readonly condition: NormalCondition }[];
  /** Of all of them. */
  readonly domains: readonly Domain[];
}

function crowdOf(own: readonly PointsRule[], logic: Logic): Crowd {
  const members = own.map((rule) => ({ rule, condition: toNegationNormalForm(rule.conditions) }));
  const conditions = members.map(({ condition }) => condition);
  return { members, domains: logic.domains(conditions, 'some_unknown') };
}

/** Whether it counts hangs on the composite then, which `checkOverlap` looks at. */
function isAbsorbed({ id }: PointsRule, own: readonly PointsRule[]): boolean {
  return own.some((rule) => rule.absorbs.some((absorbed) => absorbed.id === id));
}

/**
 * Whether some world in which the rule fires leaves room for its points. What counts for sure, were nothing more to
 * fire, and what could count at most leave out most worlds before they are settled.
 */
function couldCount(rule: PointsRule, { members, domains }: Crowd, group: RuleGroup, logic: Logic): boolean {
  const condition = toNegationNormalForm(rule.conditions);
  // That it never fires is told of by itself.
  if (!logic.canFire(condition, 'some_unknown')) return true;
  const others = members.filter((other) => other.rule !== rule);
  const goal = (world: World): Verdict => {
    const fired = fires(condition, world);
    if (fired === false) return false;
    let least = 0;
    let most = 0;
    const replaced = new Set<string>();
    const sure: PointsRule[] = [];
    for (const other of others) {
      const verdict = fires(other.condition, world);
      if (verdict === false) continue;
      const { points, absorbs } = other.rule;
      if (points < 0) least += points;
      else most += points;
      if (verdict === undefined) continue;
      if (points < 0) most += points;
      else sure.push(other.rule);
      for (const { id } of absorbs) replaced.add(id);
    }
    for (const { id, points } of sure) if (!replaced.has(id)) least += points;
    if (least >= group.maxScore) return false;
    return fired && most < group.maxScore ? true : undefined;
  };
  // In a settled world nothing is left open but what absorption takes from `most`: there is room.
  const settled = (world: World, isSettled: boolean) => goal(world) ?? (isSettled ? true : undefined);
  // What the rule reads itself is settled first: worlds in which it does not fire are left at once.
  const read = new Set(literalsOf(condition).flatMap(factsRead));
  const ordered = domains.toSorted((a, b) => Number(read.has(b.id)) - Number(read.has(a.id)));
  return logic.existsAmong(settled, ordered, MOST_STEPS) !== false;
}

function checkLevelsReached(
  levels: readonly LevelRule[],
  scores: readonly number[],
  logic: Logic,
  levelsPlace: Place,
  problems: ProblemList,
): void {
  const given = (score: number): Level =>
    LEVELS.findLast((level) => levels.some((rule) => rule.level === level && firesAt(rule, score, logic))) ??
    'low';
  const reached = new Set(scores.map(given));
  for (const level of LEVELS) {
    if (level === 'low') continue;
    const rule = levels.find((candidate) => candidate.level === level);
    if (!rule) {
      const place = levels[0]?.place ?? levelsPlace;
      const message = `no level in force is ${level}: no score has it`;
      problems.report('level_gap', place, message);
    } else if (!reached.has(level) && logic.canFire(toNegationNormalForm(rule.conditions), 'all_known')) {
      problems.report(
        'unreachable_score',
        rule.place,
        `the level is never ${level}: ${most(scores, rule, logic)}`,
      );
    }
  }
}

function firesAt({ conditions }: LevelRule, score: number, { thresholds }: Logic): boolean {
  const world: World = new Map<string, number>([...Object.entries(thresholds), [RISK_SCORE, score]]);
  return fires(toNegationNormalForm(conditions), world) === true;
}

/** What keeps a level from being reached: the score ends below it, or jumps over it. */
function most(scores: readonly number[], rule?: LevelRule, logic?: Logic): string {
  const above = rule && logic ? scores.find((score) => firesAt(rule, score, logic)) : undefined;
  if (above === undefined) return `the rules in force give ${scores.at(-1)} at most`;
  const below = scores.findLast((score) => score < above) ?? 0;
  return `the rules in force give ${below} or ${above}, and no score between`;
}
