import type { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../../errors.ts';
import { once } from '../../lib/concurrency.ts';
import { messageOf } from '../../lib/thrown.ts';
import { MutexJobLock } from '../job-lock.ts';
import type { Storage } from '../ports.ts';
import type { StorageOptions } from '../shared/queued-check-store.ts';
import { sharedStores } from '../shared/shared-stores.ts';
import {
  BUSY_TIMEOUT_MS,
  openDatabase,
  placeOf,
  prepareDatabaseFile,
  remedyIfTemporary,
} from './database.ts';
import { sqliteDialect } from './kysely-dialect.ts';
import { migrate } from './migrate.ts';
import { SqliteCheckStore } from './sqlite-check-store.ts';
import { Writer } from './writer.ts';

export interface SqliteStorageOptions extends StorageOptions {
  /** Made when it is missing, for the owner alone. */
  readonly file: string;
  /** The rest has defaults and is set by tests. */
  readonly busyTimeoutMs?: number;
  readonly maxPages?: number;
  readonly worker?: URL;
}

/** Reads every page that a check reads: a page damaged on the disk must fail readiness, not only checks. */
export const READ_BY_CHECKS = [
  'SELECT id FROM checks ORDER BY created_at DESC LIMIT 1',
  'SELECT count(expires_at), count(revoked_at) FROM api_keys',
  "SELECT count(*) FROM api_keys WHERE hash > x''",
  'SELECT sum(checks) FROM usage',
];

/** Throws a StartupError when the file cannot be opened as a database of this version; a temporary one while another process locks it, or the disk is full. */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  const { file, log, busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  if (file === '' || file === ':memory:') {
    throw new StartupError([
      'storage.url: a database in memory is not supported: its records would not last',
    ]);
  }
  try {
    prepareDatabaseFile(file);
    await migrate(file, undefined, log, options.busyTimeoutMs);
    const writer = await Writer.open({ ...options, busyTimeoutMs });
    try {
      const reader = openDatabase(file, busyTimeoutMs);
      // Makes a write on the main thread, by mistake, fail at once.
      reader.exec('PRAGMA query_only=ON');
      return assemble(reader, writer, options);
    } catch (error) {
      await writer.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    // The fault says the rest; the trace is for bugs.
    log?.debug({ err: error, file }, 'database not opened');
    const remedy = remedyIfTemporary(error);
    const fault = `${file}: cannot be opened as a database: ${messageOf(error)}`;
    throw new StartupError([remedy === undefined ? fault : `${fault}; ${remedy}`], remedy !== undefined);
  }
}

function assemble(reader: DatabaseSync, writer: Writer, options: SqliteStorageOptions): Storage {
  const checks = new SqliteCheckStore(reader, writer, options);
  const requirePlace = placeOf(options.file);
  return {
    ...sharedStores(sqliteDialect(reader, writer), options.revocations),
    checks,
    jobLock: new MutexJobLock(),
    async ping() {
      requirePlace();
      for (const sql of READ_BY_CHECKS) reader.prepare(sql).get();
      if (!writer.isUp) throw new Error('the writing thread is down');
      checks.requireHealthy();
    },
    close: once(async () => {
      await checks.close();
      // Before the writer, which can empty the log only where no other connection is open.
      reader.close();
      await writer.close();
    }),
  };
}
