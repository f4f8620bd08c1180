import type { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../../errors.ts';
import { messageOf } from '../../lib/thrown.ts';
import type { Logger } from '../../observability/logger.ts';
import { MutexJobLock } from '../job-lock.ts';
import type { Storage } from '../ports.ts';
import { sharedStores } from '../shared/shared-stores.ts';
import { BUSY_TIMEOUT_MS, openDatabase, prepareDatabaseFile } from './database.ts';
import { sqliteDialect } from './kysely-dialect.ts';
import { migrate } from './migrate.ts';
import { SqliteCheckStore } from './sqlite-check-store.ts';
import { Writer } from './writer.ts';

export interface SqliteStorageOptions {
  /** Made when it is missing, for the owner alone. */
  readonly file: string;
  readonly durability: 'commit' | 'async';
  readonly log?: Logger | undefined;
  /** The rest has defaults and is set by tests. */
  readonly queueCapacity?: number;
  readonly busyTimeoutMs?: number;
  readonly maxPages?: number;
  readonly worker?: URL;
}

/** Throws a StartupError when the file cannot be opened as a database of this version. */
export async function openSqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  const { file, log, busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  if (file === '' || file === ':memory:') {
    throw new StartupError([
      'storage.url: a database in memory is not supported: its records would not last',
    ]);
  }
  try {
    prepareDatabaseFile(file);
    await migrate(file, undefined, log);
    const writer = await Writer.open({ ...options, busyTimeoutMs });
    try {
      const reader = openDatabase(file, busyTimeoutMs);
      // A write by mistake on the main thread fails at once.
      reader.exec('PRAGMA query_only=ON');
      return assemble(reader, writer, options);
    } catch (error) {
      await writer.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    log?.error({ err: error, file }, 'database not opened');
    throw new StartupError([`${file}: cannot be opened as a database: ${messageOf(error)}`]);
  }
}

function assemble(reader: DatabaseSync, writer: Writer, options: SqliteStorageOptions): Storage {
  const checks = new SqliteCheckStore(reader, writer, options);
  const close = async () => {
    await checks.close();
    // Before the writer, which empties the log only where no other connection has it open.
    reader.close();
    await writer.close();
  };
  let closed: Promise<void> | undefined;
  return {
    ...sharedStores(sqliteDialect(reader, writer)),
    checks,
    jobLock: new MutexJobLock(),
    async ping() {
      reader.prepare('SELECT id FROM checks LIMIT 1').get();
      if (!writer.isUp) throw new Error('the writing thread is down');
      if (!checks.isHealthy) throw new Error('the last checks could not be committed');
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}
