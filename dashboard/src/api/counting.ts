/** How far the service has come with counting hours, tracked from answer to answer. */
export interface Counting {
  readonly share: number;
  /** The share when it last rose. */
  readonly risen: number;
  /** Answers since then. */
  readonly stalled: number;
}

/** The least rise of the share that is progress: new checks move it by less. Several smaller steps add up to a rise. */
const RISE = 0.001;
/** Pauses by answers without a rise. Answers take turns with the counting, so fewer speed it up; where counts cannot be stored it stalls. */
const PAUSES_MS = [1_000, 5_000, 30_000] as const;

export function countingAfter(before: Counting | undefined, share: number): Counting {
  if (before === undefined || share >= before.risen + RISE) return { share, risen: share, stalled: 0 };
  return { share, risen: before.risen, stalled: before.stalled + 1 };
}

/** The pause before the next request; undefined where all is counted. A failed answer counts as one without a rise. */
export function askAgainMs({ share, stalled }: Counting, hasFailed: boolean): number | undefined {
  if (share === 1) return undefined;
  return PAUSES_MS[Math.min(stalled + (hasFailed ? 1 : 0), PAUSES_MS.length - 1)];
}
