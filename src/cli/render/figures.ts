import type { Share } from '../../lib/statistics.ts';

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
