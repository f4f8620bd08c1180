/** How far the counting of hours has come, from one answer to the next. */
export interface Counting {
  readonly share: number;
  /** The share when it last rose. */
  readonly risen: number;
  /** Answers since then. */
  readonly stalled: number;
}

/**
 * What is less may be new checks. Of very many checks it may come less far between two answers; then several make a rise.
 */
const RISE = 0.001;
/** Counting goes on between answers, and each answer takes its turn from it; where counts cannot be stored it comes no further. */
const PAUSES_MS = [1_000, 5_000, 30_000] as const;

export function countingAfter(before: Counting | undefined, share: number): Counting {
  if (before === undefined || share >= before.risen + RISE) return { share, risen: share, stalled: 0 };
  return { share, risen: before.risen, stalled: before.stalled + 1 };
}

/** When to ask for the next answer; undefined where all is counted. One that failed is one that came no further. */
export function askAgainMs({ share, stalled }: Counting, hasFailed: boolean): number | undefined {
  if (share === 1) return undefined;
  return PAUSES_MS[Math.min(stalled + (hasFailed ? 1 : 0), PAUSES_MS.length - 1)];
}
