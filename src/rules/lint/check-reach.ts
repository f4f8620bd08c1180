import { factsRead, literalsOf, type NormalCondition, toNegationNormalForm } from '../conditions.ts';
import { LEVELS, type Level } from '../decision.ts';
import { type LevelRule, type PointsRule, RISK_SCORE, type Rule, type RuleGroup } from '../definitions.ts';
import { firesIn, type Truth } from '../kleene.ts';
import type { Place, ProblemList } from '../problem.ts';
import { addUp, HIGHEST_SCORE, LOWEST_SCORE, totalOf } from '../score.ts';
import type { Domain, Logic, World } from './worlds.ts';

interface RulesInForce {
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

/** Whether it counts depends on the composite then, which `checkOverlap` looks at. */
function isAbsorbed({ id }: PointsRule, own: readonly PointsRule[]): boolean {
  return own.some((rule) => rule.absorbs.some((absorbed) => absorbed.id === id));
}

/** Whether some world in which the rule fires leaves room for its points under the cap. */
function couldCount(rule: PointsRule, { members, domains }: Crowd, group: RuleGroup, logic: Logic): boolean {
  const condition = toNegationNormalForm(rule.conditions);
  // A rule that never fires is reported by `checkConditions`.
  if (!logic.canFire(condition, 'some_unknown')) return true;
  const others = members.filter((other) => other.rule !== rule);
  const hasRoom = (world: World, isSettled: boolean): Truth => {
    if (firesIn(condition, world) === false) return false;
    // What the others come to at least: a composite that may fire yet is worth no less than the rules that it absorbs.
    let least = 0;
    const sure: PointsRule[] = [];
    for (const other of others) {
      const fired = firesIn(other.condition, world);
      if (fired === false) continue;
      if (other.rule.points < 0) least += other.rule.points;
      else if (fired) sure.push(other.rule);
    }
    const absorbed = new Set(sure.flatMap(({ absorbs }) => absorbs.map(({ id }) => id)));
    for (const { id, points } of sure) if (!absorbed.has(id)) least += points;
    if (least >= group.maxScore) return false;
    return isSettled ? true : null;
  };
  // What the rule reads itself is settled first: worlds in which it does not fire are left at once.
  const read = new Set(literalsOf(condition).flatMap(factsRead));
  const ordered = domains.toSorted((a, b) => Number(read.has(b.id)) - Number(read.has(a.id)));
  return logic.exists(hasRoom, ordered, MOST_STEPS) !== false;
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
  return firesIn(toNegationNormalForm(conditions), { ...thresholds, [RISK_SCORE]: score }) === true;
}

/** What keeps a level from being reached: the score ends below it, or jumps over it. */
function most(scores: readonly number[], rule?: LevelRule, logic?: Logic): string {
  const above = rule && logic ? scores.find((score) => firesAt(rule, score, logic)) : undefined;
  if (above === undefined) return `the rules in force give ${scores.at(-1)} at most`;
  const below = scores.findLast((score) => score < above) ?? 0;
  return `the rules in force give ${below} or ${above}, and no score between`;
}

/** Groups that share facts are looked at together up to so many worlds; 9 rules over 6 facts have 1,500. */
const MOST_WORLDS = 4096;

type Sums = ReadonlySet<number>;

/**
 * The scores that some facts come to, ascending. Exact where groups that share facts have few enough worlds; where
 * not, there may be scores in it that none comes to, never one too few.
 */
function reachableScores(
  groups: readonly RuleGroup[],
  rules: readonly PointsRule[],
  logic: Logic,
): readonly number[] {
  let sums: Sums = new Set([0]);
  for (const cluster of clustersOf(groups, rules)) {
    const found =
      sumsOf(cluster, rules, logic) ??
      addAll(cluster.map((group) => sumsOf([group], rules, logic) ?? anySums(group, rules)));
    sums = addAll([sums, found]);
  }
  const scores = [...sums].map((sum) => Math.min(Math.max(sum, LOWEST_SCORE), HIGHEST_SCORE));
  return [...new Set(scores)].sort((a, b) => a - b);
}

/** Groups of which one tells something about another: their rules read a common fact. */
function clustersOf(
  groups: readonly RuleGroup[],
  rules: readonly PointsRule[],
): readonly (readonly RuleGroup[])[] {
  let clusters: { readonly groups: readonly RuleGroup[]; readonly reads: ReadonlySet<string> }[] = [];
  for (const group of groups) {
    const own = rules.filter((rule) => rule.group === group.id);
    const reads = own.flatMap(({ conditions }) =>
      literalsOf(toNegationNormalForm(conditions)).flatMap(factsRead),
    );
    const touched = clusters.filter((cluster) => reads.some((id) => cluster.reads.has(id)));
    clusters = [
      ...clusters.filter((cluster) => !touched.includes(cluster)),
      {
        groups: [...touched.flatMap((cluster) => cluster.groups), group],
        reads: new Set([...touched.flatMap((cluster) => [...cluster.reads]), ...reads]),
      },
    ];
  }
  return clusters.map((cluster) => cluster.groups);
}

/** By trying all worlds; undefined where they are too many. */
function sumsOf(groups: readonly RuleGroup[], rules: readonly PointsRule[], logic: Logic): Sums | undefined {
  const ids = new Set(groups.map(({ id }) => id));
  const own = rules
    .filter(({ group }) => ids.has(group))
    .map(({ id, group, points, absorbs, conditions }) => ({
      condition: toNegationNormalForm(conditions),
      scored: { id, group, points, absorbs: absorbs.map((other) => other.id) },
    }));
  const worlds = logic.worldsOf(
    own.map(({ condition }) => condition),
    MOST_WORLDS,
  );
  if (!worlds) return undefined;
  const maxScores = Object.fromEntries(groups.map(({ id, maxScore }) => [id, maxScore]));
  const sumIn = (world: World) => {
    const fired = own.filter(({ condition }) => firesIn(condition, world) === true);
    return totalOf(
      addUp(
        fired.map(({ scored }) => scored),
        maxScores,
      ),
    );
  };
  return new Set(worlds.map(sumIn));
}

/** As if each rule could fire whatever the others do. */
function anySums(group: RuleGroup, rules: readonly PointsRule[]): Sums {
  const own = rules.filter((rule) => rule.group === group.id);
  const sums = addAll(own.map(({ points }) => new Set([0, points])));
  return new Set([...sums].map((sum) => Math.min(sum, group.maxScore)));
}

/** Every sum of one of each. */
function addAll(all: readonly Sums[]): Sums {
  let sums: readonly number[] = [0];
  for (const more of all) sums = [...new Set(sums.flatMap((sum) => [...more].map((other) => sum + other)))];
  return new Set(sums);
}
