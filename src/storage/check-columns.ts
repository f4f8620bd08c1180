import { LISTED_COLUMNS } from '../insights/insights-queries.ts';
import type { NewCheck } from './ports.ts';

/** Columns of `checks`: those that a list shows, and the others. */
export const CHECK_COLUMNS = [
  ...LISTED_COLUMNS,
  'facts',
  'unknown',
  'evidence',
  'ledger',
  'timings',
  'sources',
  'address_hmac',
  'challenger',
  'shadow_rules',
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
