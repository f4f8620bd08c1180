import type { DatabaseSync } from 'node:sqlite';
import { QueuedCheckStore, type StorageOptions } from '../shared/queued-check-store.ts';
import type { Parameter } from '../shared/records-database.ts';
import { sqliteRecords } from './database.ts';
import type { Writer } from './writer.ts';

/** A transaction of some milliseconds, so that appends get between two of them. */
const DELETED_AT_ONCE = 1_000;

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

  protected async delete(doomed: string, value: string, signal?: AbortSignal): Promise<number> {
    const batch = `DELETE FROM checks WHERE id IN (SELECT id FROM checks WHERE ${doomed} LIMIT ${DELETED_AT_ONCE})`;
    let deleted = 0;
    let last: number;
    do {
      last = await this.run(batch, value);
      deleted += last;
    } while (last === DELETED_AT_ONCE && !signal?.aborted);
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
