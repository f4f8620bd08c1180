import type { DatabaseSync } from 'node:sqlite';
import { isoTime } from '../../lib/time.ts';
import type { Logger } from '../../observability/logger.ts';
import { type CheckValues, valuesOf } from '../check-columns.ts';
import { CommitQueue } from '../commit-queue.ts';
import type { CheckRow, CheckStore, NewCheck } from '../ports.ts';
import { NO_REVOCATIONS, type Revocations } from '../revocation-log.ts';
import { findCheck, SqliteReplayQueries } from './replay-queries.ts';
import type { Writer } from './writer.ts';

/** A transaction of some milliseconds, so that appends get between two of them. */
const DELETED_AT_ONCE = 1_000;

export interface SqliteCheckStoreOptions {
  readonly durability: 'commit' | 'async';
  readonly revocations?: Revocations | undefined;
  /** Set by tests. */
  readonly queueCapacity?: number | undefined;
  readonly log?: Logger | undefined;
}

export class SqliteCheckStore extends SqliteReplayQueries implements CheckStore {
  readonly #reader: DatabaseSync;
  readonly #writer: Writer;
  readonly #queue: CommitQueue<CheckValues>;
  readonly #log: Logger | undefined;
  readonly #revocations: Revocations;
  /** Deleted rows may still lie in the write-ahead log. */
  #hasLeftovers = false;

  constructor(reader: DatabaseSync, writer: Writer, options: SqliteCheckStoreOptions) {
    super(reader);
    const { durability, queueCapacity: capacity, log, revocations = NO_REVOCATIONS } = options;
    this.#reader = reader;
    this.#writer = writer;
    this.#log = log;
    this.#revocations = revocations;
    this.#queue = new CommitQueue({ commit: (rows) => writer.commitChecks(rows), durability, capacity, log });
  }

  get pending(): number {
    return this.#queue.depth;
  }

  /** False for some seconds after a commit failed. */
  get isHealthy(): boolean {
    return this.#queue.isHealthy;
  }

  async append(check: NewCheck): Promise<void> {
    await this.#queue.append(valuesOf(check));
  }

  async find(id: string): Promise<CheckRow | undefined> {
    return findCheck(this.#reader, id);
  }

  async forget({ addressHmac }: { readonly addressHmac: string }) {
    // What was answered before must not be written after.
    await this.#queue.settled();
    await this.#revocations.append({ at: isoTime(Date.now()), what: 'person_erased', id: addressHmac });
    // Labels of the person's checks would go with these, but not be counted.
    const { changes: labels } = await this.#writer.run(
      'DELETE FROM labels WHERE address_hmac = ?1 OR check_id IN (SELECT id FROM checks WHERE address_hmac = ?1)',
      [addressHmac],
    );
    this.#hasLeftovers ||= labels > 0;
    return { checks: await this.#delete('address_hmac = ?', addressHmac), labels };
  }

  async extent(): Promise<{ readonly atMost: number; readonly newest: string | undefined }> {
    // Numbers of rows rise, and what was deleted first had the lowest: to count five million takes half a second.
    const row = this.#reader
      .prepare(
        `SELECT (SELECT max(rowid) FROM checks) - (SELECT min(rowid) FROM checks) + 1 AS at_most,
         (SELECT max(created_at) FROM checks) AS newest`,
      )
      .get();
    return {
      atMost: Number(row?.at_most ?? 0),
      newest: row?.newest === null ? undefined : String(row?.newest),
    };
  }

  async countBefore(instant: string, limit: number): Promise<number> {
    const row = this.#reader
      .prepare('SELECT count(*) AS checks FROM (SELECT 1 FROM checks WHERE created_at < ? LIMIT ?)')
      .get(instant, limit);
    return Number(row?.checks);
  }

  deleteBefore(instant: string, signal?: AbortSignal): Promise<number> {
    return this.#delete('created_at < ?', instant, signal);
  }

  /** Commits what is queued and takes no more. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #delete(doomed: string, value: string, signal?: AbortSignal): Promise<number> {
    let deleted = 0;
    let last: number;
    do {
      const { changes } = await this.#writer.run(
        `DELETE FROM checks WHERE id IN (SELECT id FROM checks WHERE ${doomed} LIMIT ${DELETED_AT_ONCE})`,
        [value],
      );
      last = changes;
      deleted += last;
      this.#hasLeftovers ||= last > 0;
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
