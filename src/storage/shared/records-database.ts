import { LISTED_COLUMNS } from '../../insights/insights-queries.ts';
import type { CheckRow } from '../ports.ts';

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
] as const satisfies readonly (keyof CheckRow)[];

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
