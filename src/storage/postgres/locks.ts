import { sql } from 'kysely';
import { once } from '../../lib/concurrency.ts';
import { type JobLock, MutexJobLock } from '../job-lock.ts';
import type { HoldTable } from '../shared/schema.ts';
import { type ConnectionOptions, Connections, NO_TIME_OUTS, patient } from './connections.ts';

/** The server notices within a minute that the holder's machine is gone; with its default settings only after two hours. */
const NOTICE_A_DEAD_HOLDER =
  'SET LOCAL tcp_keepalives_idle = 30; SET LOCAL tcp_keepalives_interval = 10; SET LOCAL tcp_keepalives_count = 3';

/**
 * Advisory locks, which the server frees when the holder's connection ends. A lock belongs to an open transaction, not to the session, so
 * that it works through a pooler in transaction mode. A holder that loses its connection goes on: another may begin the job meanwhile.
 */
export class AdvisoryJobLock implements JobLock {
  /** Queues the calls of this process, so that it waits for each name with only one connection. */
  readonly #here = new MutexJobLock();
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Rejects with AppError `unavailable`, and does not begin the job, where the database is away. */
  runExclusive<Result>(name: string, job: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const alone = async () => {
      // No time-out: the connection waits as long as another holder's job takes, and is idle as long as its own job takes.
      await using connections = new Connections({ name: 'postern jobs' }, patient(this.#options));
      const connection = await connections.connect();
      // Destroying the connection ends the transaction; a query under way rejects.
      const giveUp = once(() => connection.release(true));
      try {
        signal?.addEventListener('abort', giveUp);
        signal?.throwIfAborted();
        await connection.query('BEGIN');
        await connection.query(NO_TIME_OUTS);
        await connection.query(NOTICE_A_DEAD_HOLDER);
        await connection.query("SELECT pg_advisory_xact_lock(hashtextextended('postern job ' || $1, 0))", [
          name,
        ]);
        signal?.throwIfAborted();
        signal?.removeEventListener('abort', giveUp);
        return await job();
      } finally {
        signal?.removeEventListener('abort', giveUp);
        giveUp();
      }
    };
    return this.#here.runExclusive(name, alone, signal);
  }
}

/** Waits for transactions that change the table, and keeps out new ones; readers go on. */
export const holdTable: HoldTable = (trx, table) =>
  sql`LOCK TABLE ${sql.table(table)} IN SHARE ROW EXCLUSIVE MODE`.execute(trx);
