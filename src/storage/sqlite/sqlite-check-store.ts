import type { DatabaseSync } from 'node:sqlite';
import { DELETED_AT_ONCE, QueuedCheckStore, type StorageOptions } from '../shared/queued-check-store.ts';
import type { Parameter } from '../shared/records-database.ts';
import { sqliteRecords } from './database.ts';
import type { Writer } from './writer.ts';

export class SqliteCheckStore extends QueuedCheckStore {
  readonly #writer: Writer;
  readonly #log: StorageOptions['log'];
  /** Deleted rows may still lie in the write-ahead log. */
  #hasLeftovers = false;

  constructor(reader: DatabaseSync, writer: Writer, options: StorageOptions) {
    const records = sqliteRecords(reader);
    super(records, records, { commit: (rows) => writer.commitChecks(rows) }, options);
    this.#writer = writer;
    this.#log = options.log;
  }

  async extent() {
    // The span of row ids, which rise, and the oldest rows are deleted first. To count five million rows would take half a second.
    const [row] = await this.database.all<{ readonly at_most: number; readonly newest: string | null }>(
      `SELECT coalesce((SELECT max(rowid) FROM checks) - (SELECT min(rowid) FROM checks) + 1, 0) AS at_most,
       (SELECT max(created_at) FROM checks) AS newest`,
    );
    return { atMost: row?.at_most ?? 0, newest: row?.newest ?? undefined };
  }

  protected async run(sql: string, ...parameters: readonly Parameter[]): Promise<number> {
    const { changes } = await this.#writer.run(sql, parameters);
    this.#hasLeftovers ||= changes > 0;
    return changes;
  }

  protected deleteSome(doomed: string, value: string): Promise<number> {
    const batch = `SELECT id FROM checks WHERE ${doomed} LIMIT ${DELETED_AT_ONCE}`;
    return this.run(`DELETE FROM checks WHERE id IN (${batch})`, value);
  }

  protected override async delete(doomed: string, value: string, signal?: AbortSignal): Promise<number> {
    const deleted = await super.delete(doomed, value, signal);
    if (!this.#hasLeftovers) return deleted;
    this.#hasLeftovers = !(await this.#writer.emptyLog());
    if (this.#hasLeftovers) {
      this.#log?.warn(
        {},
        'deleted records stay in the write-ahead log while another process reads; the next deletion tries again',
      );
    }
    return deleted;
  }
}
