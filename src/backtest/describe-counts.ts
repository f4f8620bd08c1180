import { whole } from '../statistics/describe-figures.ts';
import type { Counts } from './tally.ts';

export const COUNT_LABELS = ['good', 'bad', 'unlabelled'] as const satisfies readonly (keyof Counts)[];

/** `12 good, 3 bad, 0 unlabelled` */
export function describeCounts(counts: Counts): string {
  return COUNT_LABELS.map((label) => `${whole(counts[label])} ${label}`).join(', ');
}
