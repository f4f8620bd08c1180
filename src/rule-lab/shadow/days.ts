import type { Label } from '../../labels/label.ts';
import { addCounts, type Counts, noCounts } from '../backtest/tally.ts';

/** What was seen on one day in UTC: all checks on which something was tried, and those that it hit. */
export interface DayCounts {
  /** `2026-11-20` */
  readonly day: string;
  readonly all: Counts;
  readonly hits: Counts;
}

/** Counts by day; a check more takes no memory. */
export class DayTable {
  readonly #days = new Map<string, DayCounts>();

  add(createdAt: string, label: Label | null, isHit: boolean): void {
    const day = createdAt.slice(0, 10);
    let counts = this.#days.get(day);
    if (!counts) {
      counts = { day, all: noCounts(), hits: noCounts() };
      this.#days.set(day, counts);
    }
    counts.all[label ?? 'unlabelled'] += 1;
    if (isHit) counts.hits[label ?? 'unlabelled'] += 1;
  }

  /** From the first to the last. */
  get days(): readonly DayCounts[] {
    return [...this.#days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
  }
}

/** With good and bad in each other's place: a rule that takes points away is right where it hits the good. */
export function mirrored(days: readonly DayCounts[]): readonly DayCounts[] {
  const swap = ({ good, bad, unlabelled }: Counts): Counts => ({ good: bad, bad: good, unlabelled });
  return days.map(({ day, all, hits }) => ({ day, all: swap(all), hits: swap(hits) }));
}

export function sumOfDays(days: readonly DayCounts[]): Pick<DayCounts, 'all' | 'hits'> {
  const sum = { all: noCounts(), hits: noCounts() };
  for (const { all, hits } of days) {
    addCounts(sum.all, all);
    addCounts(sum.hits, hits);
  }
  return sum;
}
