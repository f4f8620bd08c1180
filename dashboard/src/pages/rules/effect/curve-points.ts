import type { Replay } from '../queries.ts';

type Sweep = Replay['sweep']['base'];
type Cases = Pick<Replay['cases'], 'good' | 'bad'>;

/** One threshold of a sweep, as a curve shows it. */
export interface CurvePoint {
  readonly threshold: number;
  readonly x: number;
  readonly y: number;
}

/** The points of the ROC, from "blocks nothing" to "blocks everything". */
export function rocCurve({ points }: Sweep, { good, bad }: Cases): readonly CurvePoint[] {
  return points
    .toReversed()
    .map(({ threshold, blocked }) => ({ threshold, x: blocked.good / good, y: blocked.bad / bad }));
}

/** Precision over recall. Thresholds that block nothing labelled have no precision, and are left out. */
export function precisionCurve({ points }: Sweep, { bad }: Cases): readonly CurvePoint[] {
  return points
    .toReversed()
    .filter(({ blocked }) => blocked.good + blocked.bad > 0)
    .map(({ threshold, blocked }) => ({
      threshold,
      x: blocked.bad / bad,
      y: blocked.bad / (blocked.good + blocked.bad),
    }));
}

/** The cost by threshold. */
export function costCurve({ points }: Sweep): readonly CurvePoint[] {
  return points.flatMap(({ threshold, cost }) =>
    cost === null ? [] : [{ threshold, x: threshold, y: cost }],
  );
}
