import type { NewCheck } from '../ports.ts';

/** Columns of `checks`, in their order (docs: contract.md, "Records"). */
export const CHECK_COLUMNS = [
  'id',
  'created_at',
  'account_id',
  'key_id',
  'environment',
  'action',
  'risk_score',
  'risk_level',
  'ruleset',
  'facts',
  'unknown',
  'evidence',
  'ledger',
  'timings',
  'sources',
  'domain',
  'address_hmac',
  'address',
  'challenger',
  'shadow_rules',
  'duration_us',
] as const satisfies readonly (keyof NewCheck)[];

/** A row of `checks` in the order of `CHECK_COLUMNS`. */
export type CheckValues = readonly (string | number | null)[];

/** What stands in the columns of a check. */
export function valuesOf(check: NewCheck): CheckValues {
  const { facts, timings, sources } = check;
  const row = {
    ...check,
    facts: JSON.stringify(facts),
    timings: JSON.stringify(timings),
    sources: JSON.stringify(sources),
  };
  return CHECK_COLUMNS.map((column) => row[column]);
}
