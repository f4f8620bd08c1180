import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite/sqlite-fault.ts';

export interface FileLock {
  release(): void;
}

/**
 * Holds a file against every other process; null while another holds it. The lock is SQLite's own on an empty file,
 * held by an open transaction, so that the operating system lets go of it however the process ends. The file is
 * made for the owner alone and stays. Throws what keeps it from being opened.
 */
export function lockFile(file: string): FileLock | null {
  let database: DatabaseSync | undefined;
  try {
    closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    if (isBusy(error)) return null;
    throw error;
  }
}
