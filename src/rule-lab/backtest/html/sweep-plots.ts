import { line } from 'd3-shape';
import { figure } from '../../../lib/statistics.ts';
import { describeCostRatio } from '../describe-counts.ts';
import {
  type BacktestReport,
  type BySide,
  SIDES,
  type Side,
  type Sweep,
  type SweepPoint,
} from '../report.ts';
import { percent, SIDE_NAMES } from './figures.ts';
import { drawMarks, type Mark } from './marks.ts';
import { type Content, html, type Markup } from './markup.ts';
import { across, acrossByRoot, at, clipped, drawPlot, type Scale, upwards } from './plot.ts';

interface Curve {
  /** Null where the figure does not exist: nothing is blocked, so there is no precision. */
  readonly of: (point: SweepPoint) => readonly [x: number, y: number] | null;
  readonly x: Scale;
  readonly y: Scale;
}

const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

/** The share of bad that is blocked over the share of good that is. */
export function drawRoc({ sweep, cases }: BacktestReport): Markup {
  const curve: Curve = {
    of: ({ blocked }) => [blocked.good / cases.good, blocked.bad / cases.bad],
    x: acrossByRoot(1),
    y: upwards(0, 1),
  };
  const chance = Array.from({ length: 21 }, (_, step): [number, number] => [
    curve.x(step / 20),
    curve.y(step / 20),
  ]);
  return drawPlot({
    id: 'roc',
    title: 'ROC: recall over the rate of false positives, for each threshold',
    description: describe(sweep, (side) => `area ${figure(sweep[side].auc)}`),
    x: {
      scale: curve.x,
      name: 'good that are blocked, square-root scale',
      ticks: [0, 0.01, 0.05, 0.25, 0.5, 1],
      describe: percentTick,
    },
    y: { scale: curve.y, name: 'bad that are blocked (recall)', ticks: QUARTERS, describe: percentTick },
    marks: [html`<path class="chance" d="${line().digits(1)(chance)}"/>`, drawCurves(sweep, curve)],
  });
}

export function drawPrecision({ sweep, cases }: BacktestReport): Markup {
  const curve: Curve = {
    of: ({ blocked: { good, bad } }) => (good + bad === 0 ? null : [bad / cases.bad, bad / (good + bad)]),
    x: across(0, 1),
    y: upwards(0, 1),
  };
  return drawPlot({
    id: 'precision-recall',
    title: 'Precision over recall, for each threshold',
    description: describe(sweep, (side) => {
      const point = pointAt(sweep[side], sweep[side].threshold);
      const place = point && curve.of(point);
      return place
        ? `now precision ${percent(place[1])} at recall ${percent(place[0])}`
        : 'no present threshold';
    }),
    x: { scale: curve.x, name: 'bad that are blocked (recall)', ticks: QUARTERS, describe: percentTick },
    y: { scale: curve.y, name: 'blocked that are bad (precision)', ticks: QUARTERS, describe: percentTick },
    marks: drawCurves(sweep, curve),
  });
}

export function drawCost({ sweep }: BacktestReport): Markup {
  const y = upwards(0, highestCost(sweep)).nice(5);
  const curve: Curve = {
    of: ({ threshold, cost }) => (cost === null ? null : [threshold, cost]),
    x: across(0, 101),
    y,
  };
  return drawPlot({
    id: 'cost',
    title: `Cost of each threshold, one good signup turned away costing as much as ${describeCostRatio(sweep.candidate.cost_ratio)} let in`,
    description: describe(sweep, (side) => {
      const { threshold, cheapest } = sweep[side];
      return `cheapest from ${cheapest} at ${pointAt(sweep[side], cheapest)?.cost}, now from ${threshold ?? 'no one score'} at ${pointAt(sweep[side], threshold)?.cost ?? 'no one cost'}`;
    }),
    x: {
      scale: curve.x,
      name: 'BLOCK from this score on',
      ticks: [0, 20, 40, 60, 80, 100],
      describe: String,
    },
    y: { scale: y, name: 'cost per labelled case', ticks: y.ticks(5), describe: y.tickFormat(5) },
    marks: [clipped(drawLines(sweep, curve)), drawMarks(marksOf(sweep, curve))],
  });
}

/** Blocking everything may cost so much that the valley, which matters, would be flat: what is above is cut off. */
function highestCost(sweep: BySide<Sweep>): number {
  const costs = SIDES.flatMap((side) => sweep[side].points.map(({ cost }) => cost ?? 0));
  const wanted = SIDES.flatMap((side) =>
    [sweep[side].cheapest, sweep[side].threshold, 101].map(
      (threshold) => pointAt(sweep[side], threshold)?.cost ?? 0,
    ),
  );
  return Math.min(Math.max(...costs), 1.6 * Math.max(...wanted)) || 1;
}

export function pointAt({ points }: Sweep, threshold: number | null): SweepPoint | undefined {
  return points.find((point) => point.threshold === threshold);
}

function drawCurves(sweep: BySide<Sweep>, curve: Curve): Content {
  return [drawLines(sweep, curve), drawMarks(marksOf(sweep, curve))];
}

function drawLines(sweep: BySide<Sweep>, { of, x, y }: Curve): readonly Markup[] {
  return SIDES.map((side) => {
    const places = sweep[side].points.flatMap((point): [number, number][] => {
      const place = of(point);
      return place ? [[x(place[0]), y(place[1])]] : [];
    });
    return html`<path class="curve ${side}" d="${line().digits(1)(withoutRepeats(places))}"/>`;
  });
}

/** Most thresholds change nothing; a path need not say so again. The first and the last of equals stay, for flat parts. */
function withoutRepeats(places: readonly [number, number][]): [number, number][] {
  return places.filter(([x, y], index) => {
    const [before, after] = [places[index - 1], places[index + 1]];
    const isSame = (other: [number, number] | undefined) =>
      other !== undefined && at(other[0]) === at(x) && at(other[1]) === at(y);
    return !(isSame(before) && isSame(after));
  });
}

/** A circle where BLOCK of either begins now, a diamond where that of the candidate would be cheapest. */
function marksOf(sweep: BySide<Sweep>, { of, x, y }: Curve): readonly Mark[] {
  const mark = (side: Side, form: Mark['form'], score: number | null): readonly Mark[] => {
    const point = pointAt(sweep[side], score);
    const place = point && of(point);
    if (!place || score === null) return [];
    return [{ side, form, score, x: at(x(place[0])), y: at(y(place[1])) }];
  };
  return [
    ...mark('candidate', 'diamond', sweep.candidate.cheapest),
    ...mark('base', 'circle', sweep.base.threshold),
    ...mark('candidate', 'circle', sweep.candidate.threshold),
  ];
}

function percentTick(share: number): string {
  return `${share * 100}%`;
}

function describe(sweep: BySide<Sweep>, of: (side: Side) => string): string {
  return SIDES.map((side) => {
    const { threshold } = sweep[side];
    return `${SIDE_NAMES[side]}: ${of(side)}${threshold === null ? '' : `, BLOCK from ${threshold} now`}`;
  }).join('; ');
}
