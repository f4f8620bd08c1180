/**
 * Why a fact has no value. All but `not_run` mean that the provider tried and failed, which the response
 * header `Postern-Degraded` tells; `not_run` means that there was nothing to try.
 */
export const UNKNOWN_REASONS = ['timeout', 'error', 'servfail', 'refused', 'malformed', 'not_run'] as const;

export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** A fact, or a whole answer, that could not be found out. */
export interface Unknown {
  readonly unknown: UnknownReason;
  /** For logs and records; never the address itself. */
  readonly detail?: string;
}

/** Answers "unknown, because". */
export function unknown(reason: UnknownReason, detail?: string): Unknown {
  return detail === undefined ? { unknown: reason } : { unknown: reason, detail };
}

export function isUnknown(value: unknown): value is Unknown {
  // Reads the property: this runs for every answer and fact, and `in` would take a tenth of a check's time.
  return typeof value === 'object' && value !== null && (value as Partial<Unknown>).unknown !== undefined;
}
