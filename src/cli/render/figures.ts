import { type Share, whole } from '../../lib/statistics.ts';
import { type Counts, totalOf } from '../../rule-lab/backtest/tally.ts';

/** `12.5 % (3.1 to 40.2)`; a dash where there is nothing to take a share of. */
export function describeShare({ share, low, high }: Pick<Share, 'share' | 'low' | 'high'>): string {
  if (share === null) return '–';
  return `${percent(share)} (${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)})`;
}

export function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`;
}

/** With its sign, whichever it is. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

const COUNT_LABELS = ['good', 'bad', 'unlabelled'] as const satisfies readonly (keyof Counts)[];

/** `12 good, 3 bad, 0 unlabelled` */
export function describeCounts(counts: Counts): string {
  return COUNT_LABELS.map((label) => `${whole(counts[label])} ${label}`).join(', ');
}

export type FlipDirection = 'to_block' | 'to_allow';

/** `ALLOW → BLOCK: 12 (2 good, 7 bad, 3 unlabelled)` */
export function describeFlipCounts(direction: FlipDirection, counts: Counts): string {
  const name = direction === 'to_block' ? 'ALLOW → BLOCK' : 'BLOCK → ALLOW';
  const total = totalOf(counts);
  return total === 0 ? `${name}: none` : `${name}: ${whole(total)} (${describeCounts(counts)})`;
}

/** How many bad signups let in a good one turned away is worth: `one bad one`, `10 bad ones`. */
export function describeCostRatio(ratio: number): string {
  return ratio === 1 ? 'one bad one' : `${ratio} bad ones`;
}
