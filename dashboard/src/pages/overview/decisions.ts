import type { DecisionCount, Overview } from '../../api/overview.ts';

/** How many checks were answered so. */
export function countOf(decisions: readonly DecisionCount[], action: DecisionCount['action']): number {
  return decisions.reduce((sum, one) => sum + (one.action === action ? one.checks : 0), 0);
}

export function sumOf(decisions: readonly DecisionCount[]): number {
  return decisions.reduce((sum, { checks }) => sum + checks, 0);
}

export const STEP_MS = { hour: 3_600_000, day: 86_400_000 } as const;

/** When the hour or the day ends that begins at `begins`. */
export function endOf(begins: string, { bucket }: Pick<Overview, 'bucket'>): string {
  return new Date(Date.parse(begins) + STEP_MS[bucket]).toISOString();
}

export interface Period {
  /** ISO 8601. */
  readonly begins_at: string;
  /** Undefined where there was no check. */
  readonly bucket: Overview['buckets'][number] | undefined;
}

/** Every hour or day of the time, those without a check too: a gap is a finding. */
export function periodsOf({ since, until, bucket, buckets }: Overview): readonly Period[] {
  const step = STEP_MS[bucket];
  const known = new Map(buckets.map((one) => [Date.parse(one.begins_at), one]));
  const first = Math.floor(Date.parse(since) / step) * step;
  const count = Math.ceil((Date.parse(until) - first) / step);
  return Array.from({ length: count }, (_, index) => {
    const begins = first + index * step;
    return { begins_at: new Date(begins).toISOString(), bucket: known.get(begins) };
  });
}
