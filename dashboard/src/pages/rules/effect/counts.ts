import { formatCount } from '../../../format/numbers.ts';
import type { Replay } from '../queries.ts';

export interface Counts {
  readonly good: number;
  readonly bad: number;
  readonly unlabelled: number;
}

export function totalOf({ good, bad, unlabelled }: Counts): number {
  return good + bad + unlabelled;
}

/** "12 good, 3 bad, 40 unlabelled", without counts of 0; "none" where all are. */
export function describeCounts(counts: Counts, format: (count: number) => string): string {
  const parts = (['good', 'bad', 'unlabelled'] as const).filter((label) => counts[label] > 0);
  return parts.length === 0 ? 'none' : parts.map((label) => `${format(counts[label])} ${label}`).join(', ');
}

/** "Risk levels: low 19,732 → 19,800, medium 980 → 912, high 12.": in force, then with the change, where that differs. */
export function describeLevels({ base, candidate }: Replay['levels']): string {
  const parts = (['low', 'medium', 'high'] as const).map((level) => {
    const [before, after] = [formatCount(base[level]), formatCount(candidate[level])];
    return `${level} ${before === after ? after : `${before} → ${after}`}`;
  });
  return `Risk levels: ${parts.join(', ')}.`;
}
