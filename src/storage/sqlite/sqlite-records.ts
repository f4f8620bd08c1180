import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Parameter, RecordsDatabase } from '../shared/records-database.ts';

/** Statements that are kept compiled: those of searches are as many as there are filters. */
const MOST_STATEMENTS = 50;

/** Over a connection that only reads. Each query is answered before the call returns: the process does nothing else. */
export class SqliteRecords implements RecordsDatabase {
  readonly dialect = 'sqlite';
  readonly #reader: DatabaseSync;
  readonly #statements: LRUCache<string, StatementSync>;

  constructor(reader: DatabaseSync) {
    this.#reader = reader;
    this.#statements = new LRUCache({ max: MOST_STATEMENTS, memoMethod: (sql) => reader.prepare(sql) });
  }

  async all<Row>(sql: string, ...parameters: readonly Parameter[]): Promise<readonly Row[]> {
    // The tables are strict: what comes back is what was written.
    return this.#statements.memo(sql).all(...parameters) as readonly unknown[] as readonly Row[];
  }

  close(): void {
    this.#reader.close();
  }
}
