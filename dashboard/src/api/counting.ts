/** How far the counting of checks that were never counted has come, from one answer to the next. */
export interface Counting {
  readonly share: number;
  /** The share when it last rose. */
  readonly risen: number;
  /** Answers since then. */
  readonly stalled: number;
}

/**
 * What is less may be new checks, or a machine that was a little faster this time: where counts cannot be stored, each answer
 * counts the same checks anew. Of very many checks an answer may come less far; then several make a rise.
 */
const RISE = 0.001;
/** Each answer comes further. One that did not has cost two seconds of counting for nothing. */
const PAUSES_MS = [250, 5_000, 30_000] as const;

export function countingAfter(before: Counting | undefined, share: number): Counting {
  if (before === undefined || share >= before.risen + RISE) return { share, risen: share, stalled: 0 };
  return { share, risen: before.risen, stalled: before.stalled + 1 };
}

/** When to ask for the next answer; undefined where all is counted. One that failed is one that came no further. */
export function askAgainMs({ share, stalled }: Counting, hasFailed: boolean): number | undefined {
  if (share === 1) return undefined;
  return PAUSES_MS[Math.min(stalled + (hasFailed ? 1 : 0), PAUSES_MS.length - 1)];
}
