const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** 1234567 → "1,234,567". */
export function formatCount(value: number): string {
  return WHOLE.format(value);
}

/** "1 check", "1,234 checks"; `several` where an s does not make the plural. */
export function formatCounted(value: number, one: string, several = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : several}`;
}

/** The sum of some counts. */
export function sumOf(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** 1234567 → "1.2M", for axes and tiles. */
export function formatCompact(value: number): string {
  return COMPACT.format(value);
}

/** 0.1234 → "12.3 %"; a share above 0 never shows as 0. Null (nothing was counted) is a dash. */
export function formatShare(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return '–';
  if (share > 0 && share < 0.001) return '< 0.1 %';
  return `${(share * 100).toFixed(1)} %`;
}

/** Microseconds as people read them: "850 µs", "12.3 ms", "1.2 s". Null is a dash. */
export function formatMicroseconds(us: number | null): string {
  if (us === null || !Number.isFinite(us)) return '–';
  if (us < 1000) return `${Math.round(us)} µs`;
  if (us < 1_000_000) return `${(us / 1000).toFixed(us < 100_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(1)} s`;
}

/** Points as a ledger shows them: "+20", "−15", "0". */
export function formatPoints(points: number): string {
  if (points === 0) return '0';
  return points > 0 ? `+${WHOLE.format(points)}` : `−${WHOLE.format(-points)}`;
}
