import type { FactValue, UnknownReason } from '../provider-kit/index.ts';

/** All that was found out about one address. */
export interface Signals {
  /** Every declared fact of every enabled provider, by id; null where unknown. */
  readonly facts: Readonly<Record<string, FactValue | null>>;
  /** Why each null is null. */
  readonly unknown: Readonly<Record<string, UnknownReason>>;
  /** By provider; plain JSON. */
  readonly evidence: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** By provider, in microseconds. */
  readonly timingsUs: Readonly<Record<string, number>>;
  /** By provider, the version of its data. */
  readonly sources: Readonly<Record<string, string>>;
  /** Sorted ids of the providers that tried and failed. */
  readonly degraded: readonly string[];
}
