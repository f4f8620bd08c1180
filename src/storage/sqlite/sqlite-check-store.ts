import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../observability/logger.ts';
import { CommitQueue } from '../commit-queue.ts';
import type { CheckRow, CheckStore, NewCheck } from '../ports.ts';
import { CHECK_COLUMNS, type CheckValues, valuesOf } from './check-columns.ts';
import { SqliteReplayQueries } from './replay-queries.ts';
import type { Writer } from './writer.ts';

/** A transaction of some milliseconds, so that appends get between two of them. */
const DELETED_AT_ONCE = 1_000;

export interface SqliteCheckStoreOptions {
  readonly durability: 'commit' | 'async';
  readonly queueCapacity?: number | undefined;
  readonly log?: Logger | undefined;
}

export class SqliteCheckStore extends SqliteReplayQueries implements CheckStore {
  readonly #reader: DatabaseSync;
  readonly #writer: Writer;
  readonly #queue: CommitQueue<CheckValues>;
  readonly #log: Logger | undefined;
  /** Deleted rows may still lie in the write-ahead log. */
  #hasLeftovers = false;

  constructor(reader: DatabaseSync, writer: Writer, options: SqliteCheckStoreOptions) {
    super(reader);
    const { durability, queueCapacity: capacity, log } = options;
    this.#reader = reader;
    this.#writer = writer;
    this.#log = log;
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
    const found = this.#reader.prepare(`SELECT ${CHECK_COLUMNS.join(', ')} FROM checks WHERE id = ?`).get(id);
    // The table is strict: what comes back is what was written.
    return found && ({ ...found } as unknown as CheckRow);
  }

  async forget({
    addressHmac,
  }: {
    readonly addressHmac: string;
  }): Promise<{ readonly checks: number; readonly labels: number }> {
    // What was answered before must not be written after.
    await this.#queue.settled();
    // Labels of the person's checks would go with these, but not be counted.
    const { changes: labels } = await this.#writer.run(
      'DELETE FROM labels WHERE address_hmac = ?1 OR check_id IN (SELECT id FROM checks WHERE address_hmac = ?1)',
      [addressHmac],
    );
    this.#hasLeftovers ||= labels > 0;
    return { checks: await this.#delete('address_hmac = ?', addressHmac), labels };
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
    if (this.#hasLeftovers) await this.#emptyLog();
    return deleted;
  }

  async #emptyLog(): Promise<void> {
    this.#hasLeftovers = !(await this.#writer.emptyLog());
    if (!this.#hasLeftovers) return;
    this.#log?.warn(
      {},
      'deleted records stay in the write-ahead log while another process reads; the next deletion tries again',
    );
  }
}
