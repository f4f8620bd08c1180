import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../errors.ts';
import { makePrivateDirectory } from './private-directory.ts';
import { isBusy } from './sqlite/sqlite-fault.ts';

export interface DataDirectoryLock {
  release(): void;
}

/**
 * One service for a data directory: quota and rate limits count in the process. The lock is SQLite's own on an
 * empty file, held by an open transaction, so that the operating system lets go of it however the
 * process ends. Throws a StartupError while another holds it.
 */
export function lockDataDirectory(dataDir: string): DataDirectoryLock {
  const file = join(dataDir, 'serve.lock');
  let database: DatabaseSync | undefined;
  try {
    makePrivateDirectory(dataDir);
    closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError([
      isBusy(error)
        ? `${dataDir}: another postern serves this data directory; stop it, or give this one its own --data-dir`
        : `${dataDir}: the data directory cannot be used: ${reason}`,
    ]);
  }
}
