import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateDirectory } from '../private-files.ts';

/**
 * Makes the file, and its folder where missing, for the owner alone. SQLite gives the files it puts
 * beside a database (-wal, -shm) the database's own mode, so this must come before SQLite opens it.
 */
export function prepareDatabaseFile(file: string): void {
  makePrivateDirectory(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path)) chmodSync(path, 0o600);
  }
}
