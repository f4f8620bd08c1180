import { isoTime } from '../../lib/time.ts';
import type { Logger } from '../../observability/logger.ts';
import { CHECK_COLUMNS, type CheckValues, valuesOf } from '../check-columns.ts';
import { CommitQueue } from '../commit-queue.ts';
import type { CheckRow, CheckStore, NewCheck } from '../ports.ts';
import type { Revocations } from '../revocation-log.ts';
import { CheckPartitions } from './check-partitions.ts';
import { CheckCommitter } from './commit-checks.ts';
import type { Connections } from './connections.ts';
import { PostgresReplayQueries } from './replay-queries.ts';

/** A statement of some tens of milliseconds. */
const DELETED_AT_ONCE = 1_000;

/** Up to so many checks are counted, by an index alone; of more the server knows about how many there are. */
const COUNTED = 100_000;

/**
 * Whether the server is there again is asked for readiness besides. Where it was restarted all instances have failed to commit, and
 * none would be sent a request for as long as this.
 */
const UNHEALTHY_MS = 1_000;

interface PostgresCheckStoreOptions {
  readonly durability: 'commit' | 'async';
  readonly revocations: Revocations;
  readonly queueCapacity?: number | undefined;
  readonly log?: Logger | undefined;
}

export class PostgresCheckStore extends PostgresReplayQueries implements CheckStore {
  readonly #connections: Connections;
  readonly #partitions: CheckPartitions;
  readonly #queue: CommitQueue<CheckValues>;
  readonly #revocations: Revocations;

  /** `committing` are connections for commits alone, `reading` those whose statements may take long. */
  constructor(
    connections: Connections,
    committing: Connections,
    reading: Connections,
    options: PostgresCheckStoreOptions,
  ) {
    super(reading);
    const { durability, queueCapacity: capacity, log, revocations } = options;
    this.#connections = connections;
    this.#partitions = new CheckPartitions(connections);
    this.#revocations = revocations;
    const committer = new CheckCommitter(committing, new CheckPartitions(committing), durability);
    this.#queue = new CommitQueue({
      commit: (rows) => committer.commit(rows),
      ...{ durability, capacity, log, unhealthyMs: UNHEALTHY_MS },
    });
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
    const { rows } = await this.#connections.query(
      `SELECT ${CHECK_COLUMNS.join(', ')} FROM checks WHERE id = $1`,
      [id],
    );
    return rows[0];
  }

  async forget({ addressHmac }: { readonly addressHmac: string }) {
    // What was answered before must not be written after.
    await this.#queue.settled();
    await this.#revocations.append({ at: isoTime(Date.now()), what: 'person_erased', id: addressHmac });
    // Labels of the person's checks would go with these, but not be counted.
    const { rowCount: labels } = await this.#connections.query(
      'DELETE FROM labels WHERE address_hmac = $1 OR check_id IN (SELECT id FROM checks WHERE address_hmac = $1)',
      [addressHmac],
    );
    return { checks: await this.#delete('address_hmac = $1', addressHmac), labels: labels ?? 0 };
  }

  async extent(): Promise<{ readonly atMost: number; readonly newest: string | undefined }> {
    const { rows } = await this.#connections.query(
      `SELECT (SELECT count(*) FROM (SELECT 1 FROM checks LIMIT ${COUNTED}) AS few) AS counted,
       (SELECT sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid)))::bigint FROM pg_inherits i
        JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'checks'::regclass) AS about,
       (SELECT max(created_at) FROM checks) AS newest`,
    );
    const { counted, about, newest } = rows[0];
    return { atMost: counted < COUNTED ? counted : Math.max(counted, about), newest: newest ?? undefined };
  }

  async countBefore(instant: string, limit: number): Promise<number> {
    const { rows } = await this.#connections.query(
      'SELECT count(*) AS checks FROM (SELECT 1 FROM checks WHERE created_at < $1 LIMIT $2) AS few',
      [instant, limit],
    );
    return rows[0].checks;
  }

  async deleteBefore(instant: string, signal?: AbortSignal): Promise<number> {
    let deleted = 0;
    do {
      const dropped = await this.#partitions.dropOne(instant);
      if (dropped === undefined) return deleted + (await this.#delete('created_at < $1', instant, signal));
      deleted += dropped;
    } while (!signal?.aborted);
    return deleted;
  }

  /** Commits what is queued and takes no more. */
  close(): Promise<void> {
    return this.#queue.close();
  }

  async #delete(doomed: string, value: string, signal?: AbortSignal): Promise<number> {
    let deleted = 0;
    let last: number;
    do {
      // Where a batch ends, by time: so that it is of one partition or two.
      const { rows } = await this.#connections.query(
        `SELECT created_at, id FROM checks WHERE ${doomed} ORDER BY created_at, id OFFSET ${DELETED_AT_ONCE - 1} LIMIT 1`,
        [value],
      );
      const [end] = rows;
      const upTo = end === undefined ? '' : 'AND created_at <= $2 AND (created_at, id) <= ($2, $3)';
      const { rowCount } = await this.#connections.query(
        `DELETE FROM checks WHERE ${doomed} ${upTo}`,
        end === undefined ? [value] : [value, end.created_at, end.id],
      );
      last = rowCount ?? 0;
      deleted += last;
    } while (last >= DELETED_AT_ONCE && !signal?.aborted);
    return deleted;
  }
}
