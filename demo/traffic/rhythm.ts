import type { Random } from './random.ts';

const HOUR_MS = 3_600_000;

/** How busy each hour of the day is, UTC, as a share of the busiest. */
export interface Rhythm {
  readonly hours: readonly number[];
  /** From Sunday on. */
  readonly days: readonly number[];
  /** How much more there is at the end than at the beginning: 0.2 is a fifth. */
  readonly growth: number;
}

/** People at home: evenings and weekends. */
export const SHOPPERS: Rhythm = {
  hours: [
    0.2, 0.13, 0.1, 0.09, 0.1, 0.16, 0.28, 0.42, 0.52, 0.58, 0.62, 0.68, 0.74, 0.7, 0.66, 0.68, 0.74, 0.84,
    0.95, 1, 0.96, 0.8, 0.56, 0.34,
  ],
  days: [1.2, 0.92, 0.88, 0.9, 0.94, 1.02, 1.26],
  growth: 0.22,
};

/** People at work. */
export const OFFICES: Rhythm = {
  hours: [
    0.03, 0.02, 0.02, 0.02, 0.03, 0.08, 0.25, 0.6, 0.92, 1, 0.97, 0.85, 0.7, 0.86, 0.95, 0.88, 0.7, 0.4, 0.2,
    0.13, 0.1, 0.08, 0.06, 0.04,
  ],
  days: [0.14, 1.08, 1.12, 1.1, 1.02, 0.84, 0.18],
  growth: 0.35,
};

/** Instants, in order, about `checks` of them from `from` to `until` in that rhythm. In ms since the epoch. */
export function instantsOf(
  rhythm: Rhythm,
  { from, until, checks }: { readonly from: number; readonly until: number; readonly checks: number },
  random: Random,
): readonly number[] {
  const blocks = Array.from({ length: Math.ceil((until - from) / HOUR_MS) }, (_, n) => from + n * HOUR_MS);
  const weights = blocks.map((start) =>
    busyness(rhythm, start + HOUR_MS / 2, (start - from) / (until - from)),
  );
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return blocks
    .flatMap((start, n) => {
      const length = Math.min(HOUR_MS, until - start);
      const many = random.about((checks * (weights[n] ?? 0)) / whole);
      return Array.from({ length: many }, () => start + random.below(length));
    })
    .sort((one, other) => one - other);
}

function busyness({ hours, days, growth }: Rhythm, at: number, progress: number): number {
  const date = new Date(at);
  return (hours[date.getUTCHours()] ?? 0) * (days[date.getUTCDay()] ?? 0) * (1 + growth * progress);
}
