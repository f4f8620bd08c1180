/** The records of a service, for another process than the one that records: read, never written. */
export interface RecordsDatabase {
  readonly dialect: 'sqlite' | 'postgres';
  /**
   * All rows of a query, which both dialects must know, with `?` for each parameter. What a row is, the query says. Rejects with
   * the error of the driver.
   */
  all<Row>(sql: string, ...parameters: readonly Parameter[]): Promise<readonly Row[]>;
  close(): void | Promise<void>;
}

export type Parameter = string | number | null;

/** The labels of a check `c`: its `own`, and its `person`'s. */
export const LABELS = `
  LEFT JOIN labels own ON own.check_id = c.id
  LEFT JOIN labels person ON person.address_hmac = c.address_hmac AND person.account_id = c.account_id`;
