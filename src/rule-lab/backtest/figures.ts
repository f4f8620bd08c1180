import { roundTo4, shareOf } from '../../lib/statistics.ts';
import { isReference } from '../../rules/conditions.ts';
import { RISK_SCORE } from '../../rules/definitions.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import { HIGHEST_SCORE } from '../../rules/score.ts';
import type { BySide, Side } from './case.ts';
import type { Outcome } from './judge.ts';
import { addCounts, type Cell, type Counts, countWhere, noCounts, type Tally, totalOf } from './tally.ts';

/** A rule of one side only has null for the other. */
export type RuleFigures = ReturnType<typeof figureRules>[number];
/** A rule within one set, on all cases. */
export type RuleSideFigures = NonNullable<RuleFigures['base']>;

/** `40 % → 60 %`; empty where the rule is rolled out on neither side. */
export function describePeople({ base, candidate }: Pick<RuleFigures, 'base' | 'candidate'>): string {
  if (!base?.rollout && !candidate?.rollout) return '';
  return [...new Set([base, candidate].flatMap(peopleOf))].join(' → ');
}

/** Empty where the side has no such rule, or only in shadow. */
function peopleOf(side: RuleSideFigures | null): readonly string[] {
  if (side?.mode !== 'live') return [];
  return [side.rollout ? `${side.rollout.percent} %` : 'everyone'];
}

export function figureRules(cells: readonly Cell[], all: Counts, ruleSets: BySide<RuleSet>) {
  const base = figureSide(cells, all, ruleSets, 'base');
  const candidate = figureSide(cells, all, ruleSets, 'candidate');
  const ids = [...new Set([...base.keys(), ...candidate.keys()])].sort();
  const forces = new Set([...ruleSets.base.forces, ...ruleSets.candidate.forces].map(({ id }) => id));
  return ids.map((id) => ({
    id,
    kind: forces.has(id) ? ('force' as const) : ('points' as const),
    base: base.get(id) ?? null,
    candidate: candidate.get(id) ?? null,
  }));
}

function figureSide(cells: readonly Cell[], all: Counts, ruleSets: BySide<RuleSet>, side: Side) {
  const { forces, points, shadows, rollouts } = ruleSets[side];
  const withPoints = new Set(points.map(({ id }) => id));
  /** `worth` is null for a forced action. */
  const figure = (id: string, mode: 'live' | 'shadow', worth: number | null) => {
    const fires = (outcome: Outcome) => (mode === 'live' ? outcome.fired : outcome.shadows).includes(id);
    const isAlone = ({ fired }: Outcome) => fired.every((other) => other === id || !withPoints.has(other));
    const where = (isMeant: (outcome: Outcome) => boolean) =>
      countWhere(cells, (cell) => isMeant(cell[side]));
    const hits = where(fires);
    const rollout = rollouts[id];
    const unjudged = totalOf(where((outcome) => outcome.unjudged.includes(id)));
    return [
      id,
      {
        mode,
        points: worth,
        // The share of cases with a hit, of those in which the rule could be judged.
        fires: shareOf(totalOf(hits), totalOf(all) - unjudged),
        by_label: hits,
        // Bad among the labelled cases that it fires on.
        precision: shareOf(hits.bad, hits.bad + hits.good),
        s_o: shownSpamOverOverall(hits, all),
        // Cases whose action would change without the rule; for a shadow rule, with it.
        decisive: where(({ decisive }) => decisive.includes(id)),
        last_fired: lastOf(cells.filter((cell) => fires(cell[side]))),
        // Cases that no other rule with points fires on.
        unique: where((outcome) => fires(outcome) && isAlone(outcome)),
        stood_aside: totalOf(where(({ stoodAside }) => stoodAside.includes(id))),
        // Cases that do not have a fact that it needed.
        unjudged,
        // Null where it counts for everyone. `outside`: cases in which it fired and did not count.
        rollout: rollout
          ? { percent: rollout.percent, outside: where(({ shadows }) => shadows.includes(id)) }
          : null,
      },
    ] as const;
  };
  return new Map([
    ...forces.map(({ id }) => figure(id, 'live', null)),
    ...points.map(({ id, points: worth }) => figure(id, 'live', worth)),
    ...shadows
      .filter(({ id }) => rollouts[id] === undefined)
      .map(({ id, points: worth }) => figure(id, 'shadow', worth)),
  ]);
}

/** All instants are written in one format, so the greatest text is the latest. */
function lastOf(cells: readonly Cell[]): string | null {
  return cells.reduce<string | null>(
    (latest, { last }) => (last !== null && (latest === null || last > latest) ? last : latest),
    null,
  );
}

/** S/O as it is shown: four decimals. */
export function shownSpamOverOverall(hits: Counts, all: Counts): number | null {
  const value = spamOverOverall(hits, all);
  return value === null ? null : roundTo4(value);
}

/**
 * SpamAssassin's S/O, not rounded: the rate of hits among the bad over the sum of the rates among the bad and the good, so that it does not
 * depend on how many of each there are. Null without both labels or without a hit.
 */
export function spamOverOverall(hits: Counts, all: Counts): number | null {
  if (all.good === 0 || all.bad === 0) return null;
  const [bad, good] = [hits.bad / all.bad, hits.good / all.good];
  return bad + good === 0 ? null : bad / (bad + good);
}

const SCORES = HIGHEST_SCORE + 1;

/** How many cases have each score, 0 to 100. */
export function countScores(cells: readonly Cell[], side: Side): readonly Counts[] {
  const scores = Array.from({ length: SCORES }, noCounts);
  for (const cell of cells) addCounts(scores[cell[side].score] as Counts, cell.counts);
  return scores;
}

/** For each threshold from 0 to 101, what blocking from that score on would have done, with forced actions as they are; 101 blocks nothing. */
export function sweep({ cells, all }: Tally, side: Side, ruleSet: RuleSet, costRatio: number) {
  const unforced = cells.filter((cell) => cell[side].forced === null);
  const scores = countScores(unforced, side);
  const blocked = noCounts();
  for (const cell of cells) if (cell[side].forced === 'BLOCK') addCounts(blocked, cell.counts);
  // `blocked`: cases that are BLOCK at the threshold. `cost`: per labelled case, in costs of one bad signup let in; null without both labels.
  const points: { threshold: number; blocked: Counts; cost: number | null }[] = [];
  let cheapest: { readonly threshold: number; readonly cost: number } | null = null;
  for (let threshold = SCORES; threshold >= 0; threshold -= 1) {
    const more = scores[threshold];
    if (more) addCounts(blocked, more);
    const cost = costOf(blocked, all, costRatio);
    // Not rounded: a few cases in a hundred thousand would be lost. On a tie the highest threshold stays.
    if (cost !== null && (cheapest === null || cost < cheapest.cost)) cheapest = { threshold, cost };
    points.unshift({ threshold, blocked: { ...blocked }, cost: cost === null ? null : roundTo4(cost) });
  }
  return {
    auc: areaUnderCurve(countScores(cells, side)),
    // The score from which the set blocks now; null when its action is no threshold on the score.
    threshold: thresholdOf(ruleSet),
    cost_ratio: costRatio,
    // The threshold of least cost, the highest on a tie; null without both labels.
    cheapest: cheapest?.threshold ?? null,
    points,
  };
}

/** Null when one label is missing: then blocking everything, or nothing, would cost nothing. */
function costOf(blocked: Counts, all: Counts, costRatio: number): number | null {
  if (all.good === 0 || all.bad === 0) return null;
  return (blocked.good * costRatio + (all.bad - blocked.bad)) / (all.good + all.bad);
}

/** The chance that a bad case scores above a good one, ties half: Mann and Whitney's U over all pairs. Null without both. */
function areaUnderCurve(scores: readonly Counts[]): number | null {
  let [above, pairs, good] = [0, 0, 0];
  for (const counts of scores) {
    above += counts.bad * (good + counts.good / 2);
    good += counts.good;
  }
  for (const { bad } of scores) pairs += bad * good;
  return pairs === 0 ? null : roundTo4(above / pairs);
}

/** The lowest score that an action rule asks for by itself: `risk_score` at least so much, or more than that. */
function thresholdOf({ actions, constants }: RuleSet): number | null {
  const thresholds = actions.flatMap(({ condition }) => {
    const parts = 'all' in condition ? condition.all : [condition];
    const [only, ...others] = parts;
    if (others.length > 0 || only === undefined || !('fact' in only) || only.fact !== RISK_SCORE) return [];
    const { operator, value } = only;
    const right = isReference(value) ? constants[value.fact] : value;
    if (typeof right !== 'number') return [];
    if (operator === 'greaterThanInclusive') return [Math.ceil(right)];
    return operator === 'greaterThan' ? [Math.floor(right) + 1] : [];
  });
  if (thresholds.length === 0 || thresholds.length < actions.length) return null;
  return Math.min(Math.max(Math.min(...thresholds), 0), SCORES);
}
