import { DatabaseSync } from 'node:sqlite';

/**
 * In octets, of a database that is made now; one that exists keeps its own. A record is about 1 kB, and the default of
 * 4 kB is filled less well: a million took an eighth more.
 */
export const PAGE_SIZE = 8_192;

/** Who writes, the service or a command, holds the database for milliseconds; longer than this and clients have given up. */
export const BUSY_TIMEOUT_MS = 2_000;

/**
 * Opens a connection with the settings that all of ours share. Erasable TypeScript: the worker loads
 * it too.
 *
 * - `synchronous=FULL`: in WAL mode only FULL syncs the log at each commit (sqlite.org/pragma.html).
 * - `secure_delete=ON`: what is deleted is overwritten with zeroes, so that forgotten means erased.
 */
export function openDatabase(file: string, busyTimeoutMs: number): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    database.exec(`PRAGMA page_size=${PAGE_SIZE}`);
    database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** For another process than the one that records: reads, and never writes. Throws when there is no such database. */
export function openReadOnly(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}
