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
