import type { PointsRule, RuleGroup } from '../../definitions.ts';
import { factsRead, literalsOf, toNegationNormalForm } from '../../negation-normal-form.ts';
import { addUp, HIGHEST_SCORE, LOWEST_SCORE, totalOf } from '../../score.ts';
import { fires, type World } from './find-world.ts';
import type { Logic } from './logic.ts';

/** Groups that share facts are looked at together up to so many worlds; 9 rules over 6 facts have 1,500. */
const MOST_WORLDS = 4096;

type Sums = ReadonlySet<number>;

/**
 * The scores that some facts come to, ascending. Exact where groups that share facts have few enough worlds; where
 * not, there may be scores in it that none comes to, never one too few.
 */
export function reachableScores(
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
    const fired = own.filter(({ condition }) => fires(condition, world) === true);
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
