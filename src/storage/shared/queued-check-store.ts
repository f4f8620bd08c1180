import { isoTime } from '../../lib/time.ts';
import type { Logger } from '../../observability/logger.ts';
import { CommitQueue, type CommitQueueOptions } from '../commit-queue.ts';
import type { CheckRow, CheckStore, NewCheck } from '../ports.ts';
import { NO_REVOCATIONS, type Revocations } from '../revocation-log.ts';
import { CHECK_COLUMNS, type Parameter, type RecordsDatabase } from './records-database.ts';
import { RecordedQueries } from './replay-queries.ts';

/** A transaction of some milliseconds in SQLite, of some tens in PostgreSQL, so that appends get between two of them. */
export const DELETED_AT_ONCE = 1_000;

export interface StorageOptions {
  readonly durability: 'commit' | 'async';
  /** For SQLite only: keeps what a restored file must not undo. PostgreSQL is restored by its own means. */
  readonly revocations?: Revocations | undefined;
  /** Set by tests. */
  readonly queueCapacity?: number | undefined;
  readonly log?: Logger | undefined;
}

/** Records wait in a queue for a commit. All queries but deletions and `extent` are the same SQL in both dialects. */
export abstract class QueuedCheckStore extends RecordedQueries implements CheckStore {
  protected readonly database: RecordsDatabase;
  readonly #queue: CommitQueue<CheckRow>;
  readonly #revocations: Revocations;

  /** `database` is for fast statements, `replays` for statements that may take long. */
  constructor(
    database: RecordsDatabase,
    replays: RecordsDatabase,
    committing: Pick<CommitQueueOptions<CheckRow>, 'commit' | 'unhealthyMs'>,
    { durability, queueCapacity: capacity, log, revocations = NO_REVOCATIONS }: StorageOptions,
  ) {
    super(replays);
    this.database = database;
    this.#revocations = revocations;
    this.#queue = new CommitQueue({ ...committing, durability, capacity, log });
  }

  /** Commits a statement; resolves to how many rows it changed. */
  protected abstract run(sql: string, ...parameters: readonly Parameter[]): Promise<number>;
  /** Deletes some of the checks, `DELETED_AT_ONCE` at least where there are so many; `doomed` is a condition with one `?`. */
  protected abstract deleteSome(doomed: string, value: string): Promise<number>;
  abstract extent(): ReturnType<CheckStore['extent']>;

  get pending(): number {
    return this.#queue.depth;
  }

  /** Throws for some seconds after a commit failed, and says why. */
  requireHealthy(): void {
    this.#queue.requireHealthy();
  }

  /** Does nothing where `checks` has no partitions. */
  async prepare(_instant: string): Promise<void> {}

  async append(check: NewCheck): Promise<void> {
    await this.#queue.append({
      ...check,
      facts: JSON.stringify(check.facts),
      timings: JSON.stringify(check.timings),
      sources: JSON.stringify(check.sources),
    });
  }

  async find(id: string): Promise<CheckRow | undefined> {
    const sql = `SELECT ${CHECK_COLUMNS.join(', ')} FROM checks WHERE id = ?`;
    const [row] = await this.database.all<CheckRow>(sql, id);
    return row && { ...row };
  }

  async forget({ addressHmac }: { readonly addressHmac: string }) {
    // Checks that were answered before this call must not be written after the deletion.
    await this.#queue.settled();
    const at = isoTime(Date.now());
    await this.#revocations.append({ at, what: 'person_erased', id: addressHmac });
    // Before the checks: deleting a check deletes its label too, but would not count it.
    const labels = await this.run(
      'DELETE FROM labels WHERE address_hmac = ? OR check_id IN (SELECT id FROM checks WHERE address_hmac = ?)',
      addressHmac,
      addressHmac,
    );
    return { checks: await this.delete('address_hmac = ?', addressHmac), labels };
  }

  async countBefore(instant: string, limit: number): Promise<number> {
    const [row] = await this.replays.all<{ readonly checks: number }>(
      'SELECT count(*) AS checks FROM (SELECT 1 FROM checks WHERE created_at < ? LIMIT ?) AS few',
      instant,
      limit,
    );
    return row?.checks ?? 0;
  }

  deleteBefore(instant: string, signal?: AbortSignal): Promise<number> {
    return this.delete('created_at < ?', instant, signal);
  }

  protected async delete(doomed: string, value: string, signal?: AbortSignal): Promise<number> {
    let deleted = 0;
    let last: number;
    do {
      last = await this.deleteSome(doomed, value);
      deleted += last;
    } while (last >= DELETED_AT_ONCE && !signal?.aborted);
    return deleted;
  }

  /** Commits what is queued and takes no more. */
  close(): Promise<void> {
    return this.#queue.close();
  }
}
