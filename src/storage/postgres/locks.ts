import { sql } from 'kysely';
import { once } from '../../lib/concurrency.ts';
import { type JobLock, MutexJobLock } from '../job-lock.ts';
import type { HoldTable } from '../shared/schema.ts';
import { type ConnectionOptions, Connections, PATIENT_CONNECT_TIMEOUT_MS } from './connections.ts';

/** A holder whose machine is lost without a word is noticed within a minute; by the server's own setting after two hours. */
const NOTICE_A_DEAD_HOLDER =
  'SET LOCAL tcp_keepalives_idle = 30; SET LOCAL tcp_keepalives_interval = 10; SET LOCAL tcp_keepalives_count = 3';

/**
 * By a lock that the server frees when the holder's connection ends. It is held by an open transaction and not by the session, so that it
 * holds through a pooler in transaction mode too. A holder that loses its connection goes on with its job: another may begin it meanwhile.
 */
export class AdvisoryJobLock implements JobLock {
  /** So that a process waits for a name with one connection. */
  readonly #here = new MutexJobLock();
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Rejects with AppError `unavailable`, and does not begin the job, where the database is away. */
  runExclusive<Result>(name: string, job: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const alone = async () => {
      // It waits as long as the job of another takes, and is idle as long as its own does.
      const connections = new Connections(
        { name: 'postern jobs', max: 1 },
        { connectTimeoutMs: PATIENT_CONNECT_TIMEOUT_MS, ...this.#options, statementTimeoutMs: 0 },
      );
      const connection = await connections.connect();
      // Its end ends the transaction; what is asked for at that moment rejects.
      const giveUp = once(() => connection.release(true));
      try {
        signal?.addEventListener('abort', giveUp);
        signal?.throwIfAborted();
        await connection.query('BEGIN');
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
        await connections.end();
      }
    };
    return this.#here.runExclusive(name, alone, signal);
  }
}

/** Waits for those who change the table, and holds off those who come; readers go on. */
export const holdTable: HoldTable = (trx, table) =>
  sql`LOCK TABLE ${sql.table(table)} IN SHARE ROW EXCLUSIVE MODE`.execute(trx);
