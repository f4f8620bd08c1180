/** Two digits: 90 steps a decade, none further than 5 % from what was measured. */
const MOST_DIGITS = 100;

/** Microseconds to two significant digits, so that a million durations are some hundred counters. */
export function roundDuration(us: number): number {
  let step = 1;
  while (us >= step * MOST_DIGITS) step *= 10;
  return Math.round(us / step) * step;
}

export interface Percentiles {
  /** Durations that these are of. */
  readonly measured: number;
  /** In microseconds, to two significant digits; null where nothing was measured. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** By nearest rank, of how often each duration was measured. */
export function percentilesOf(counts: ReadonlyMap<number, number>): Percentiles {
  const sorted = [...counts].toSorted(([a], [b]) => a - b);
  const measured = sorted.reduce((sum, [, count]) => sum + count, 0);
  const at = (share: number): number | null => {
    let rank = Math.ceil(measured * share);
    for (const [us, count] of sorted) {
      rank -= count;
      if (rank <= 0) return us;
    }
    return null;
  };
  return { measured, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
