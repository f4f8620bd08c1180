import type { CheckRow } from '../ports.ts';
import { DELETED_AT_ONCE, QueuedCheckStore, type StorageOptions } from '../shared/queued-check-store.ts';
import type { Parameter } from '../shared/records-database.ts';
import { CheckPartitions, COUNTED } from './check-partitions.ts';
import { CheckCommitter } from './commit-checks.ts';
import { type Connections, numbered } from './connections.ts';
import { postgresRecords } from './postgres-records.ts';

/**
 * Short, because readiness also asks the server itself. After a restart of the server every instance has a failed commit: no instance
 * would be sent a request for this time.
 */
const UNHEALTHY_MS = 1_000;

export class PostgresCheckStore extends QueuedCheckStore {
  readonly #partitions: CheckPartitions;

  /** `committing` are connections for commits alone, `reading` those whose statements may take long. */
  constructor(
    private readonly connections: Connections,
    committing: Connections,
    reading: Connections,
    options: StorageOptions,
  ) {
    const committer = new CheckCommitter(committing, new CheckPartitions(committing), options.durability);
    super(
      postgresRecords(connections),
      postgresRecords(reading),
      { commit: (rows) => committer.commit(rows), unhealthyMs: UNHEALTHY_MS },
      options,
    );
    this.#partitions = new CheckPartitions(reading);
  }

  async extent() {
    const { rows } = await this.connections.query(
      `SELECT (SELECT count(*) FROM (SELECT 1 FROM checks LIMIT ${COUNTED}) AS few) AS counted,
       (SELECT sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid)))::bigint FROM pg_inherits i
        JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'checks'::regclass) AS about,
       (SELECT max(created_at) FROM checks) AS newest`,
    );
    const [{ counted, about, newest }] = rows;
    return { atMost: counted < COUNTED ? counted : Math.max(counted, about), newest: newest ?? undefined };
  }

  override prepare(instant: string): Promise<void> {
    return this.#partitions.make([instant]);
  }

  override async deleteBefore(instant: string, signal?: AbortSignal): Promise<number> {
    let deleted = 0;
    do {
      const dropped = await this.#partitions.dropOne(instant);
      if (dropped === undefined) return deleted + (await super.deleteBefore(instant, signal));
      deleted += dropped;
    } while (!signal?.aborted);
    return deleted;
  }

  protected async run(sql: string, ...parameters: readonly Parameter[]): Promise<number> {
    return (await this.connections.query(numbered(sql), parameters)).rowCount ?? 0;
  }

  protected async deleteSome(doomed: string, value: string): Promise<number> {
    // The end of the batch in the order of time, so that a batch lies in one partition or two.
    const [end] = await this.database.all<Pick<CheckRow, 'created_at' | 'id'>>(
      `SELECT created_at, id FROM checks WHERE ${doomed} ORDER BY created_at, id OFFSET ${DELETED_AT_ONCE - 1} LIMIT 1`,
      value,
    );
    const upTo = end === undefined ? '' : 'AND created_at <= ? AND (created_at, id) <= (?, ?)';
    const place = end === undefined ? [] : [end.created_at, end.created_at, end.id];
    return this.run(`DELETE FROM checks WHERE ${doomed} ${upTo}`, value, ...place);
  }
}
