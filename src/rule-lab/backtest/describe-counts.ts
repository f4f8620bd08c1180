import { whole } from '../../lib/statistics.ts';
import type { Counts } from './tally.ts';

export const COUNT_LABELS = ['good', 'bad', 'unlabelled'] as const satisfies readonly (keyof Counts)[];

/** `12 good, 3 bad, 0 unlabelled` */
export function describeCounts(counts: Counts): string {
  return COUNT_LABELS.map((label) => `${whole(counts[label])} ${label}`).join(', ');
}

/** How many bad signups let in a good one turned away is worth: `one bad one`, `10 bad ones`. */
export function describeCostRatio(ratio: number): string {
  return ratio === 1 ? 'one bad one' : `${ratio} bad ones`;
}
