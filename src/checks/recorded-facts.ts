import type { Facts } from '../rules/decision.ts';
import type { FactCatalogue } from '../signals/fact-catalogue.ts';
import type { CheckRecord } from './check-record.ts';

/** The reason for a fact that was declared after the check. */
export const NOT_RECORDED = 'not_recorded';

export interface RecordedFacts {
  readonly facts: Facts;
  /** Why each null is null. */
  readonly unknown: Readonly<Record<string, string>>;
}

/**
 * The facts of a record as the rules of today read them. One that was declared since is unknown; one that is no longer declared
 * is left out.
 */
export function recordedFacts(
  { facts, unknown }: Pick<CheckRecord, 'facts' | 'unknown'>,
  { facts: declared }: FactCatalogue,
): RecordedFacts {
  const ids = [...declared.keys()];
  const known = Object.fromEntries(ids.map((id) => [id, facts[id] ?? null]));
  const open = ids.filter((id) => known[id] === null);
  return {
    facts: known,
    unknown: Object.fromEntries(open.map((id) => [id, unknown[id] ?? NOT_RECORDED])),
  };
}
