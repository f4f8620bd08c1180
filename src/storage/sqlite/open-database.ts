import { DatabaseSync } from 'node:sqlite';

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
    database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
