/** The middle value; of an even count, the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The smallest value that is not below `share` of them all. */
export function quantile(values: ArrayLike<number>, share: number): number {
  if (values.length === 0) throw new Error('nothing was measured');
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The quantile; NaN where fewer than three values lie beyond it, as that is the worst case rather than a quantile. */
export function tailQuantile(values: ArrayLike<number>, share: number): number {
  return values.length * (1 - share) < 3 ? Number.NaN : quantile(values, share);
}
