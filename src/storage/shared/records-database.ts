import { LISTED_COLUMNS } from '../../insights/insights-queries.ts';
import type { NewCheck } from '../ports.ts';

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

/** The records of a service, read-only. */
export interface RecordsDatabase {
  readonly dialect: 'sqlite' | 'postgres';
  /**
   * All rows of a query, in SQL that both dialects know, with `?` for each parameter. `Row` must be what the query selects. Rejects
   * with the error of the driver.
   */
  all<Row>(sql: string, ...parameters: readonly Parameter[]): Promise<readonly Row[]>;
  close(): void | Promise<void>;
}

export type Parameter = string | number | null;

/** Joins the labels of a check `c`: its `own`, and its `person`'s. */
export const LABELS = `
  LEFT JOIN labels own ON own.check_id = c.id
  LEFT JOIN labels person ON person.address_hmac = c.address_hmac AND person.account_id = c.account_id`;
