import type { DatabaseSync } from 'node:sqlite';
import { StartupError } from '../../errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { compareSteps, FIRST_STEP, stepsOf } from '../shared/migration-steps.ts';
import { openDatabase } from './database.ts';
import { makeTables } from './older-tables.ts';

/** SQL, or a function that migrates. Runs in the one transaction of all migrations, with foreign keys off. */
export type Migration = string | ((database: DatabaseSync, log: Logger | undefined) => void);

/** By name, in the order they are applied. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  [FIRST_STEP]: makeTables,
  ...stepsOf('sqlite'),
};

/** Compares the migrations of a database with those of this version. Throws where it is no database of Postern's. */
export function compareSchema(database: DatabaseSync, migrations = MIGRATIONS) {
  return compareSteps(database.prepare('SELECT name FROM migrations').all(), Object.keys(migrations));
}

/** How long to wait for another process that migrates: most migrations take milliseconds. */
const LOCK_WAIT_MS = 10_000;

/**
 * Brings the database to this version's schema: all migrations or none, even where the process is killed. Where two processes
 * start at once, one migrates and the other waits. Resolves to the migrations that it applied. Throws a StartupError when a
 * newer Postern wrote the database.
 */
export async function migrate(
  file: string,
  migrations = MIGRATIONS,
  log?: Logger,
  lockWaitMs = LOCK_WAIT_MS,
): Promise<readonly string[]> {
  // Closing the connection rolls back what was not committed.
  using database = openDatabase(file, lockWaitMs);
  // Dropping a table to rebuild it must not delete the rows that refer to it. The pragma has no effect within a transaction.
  database.exec('PRAGMA foreign_keys=OFF; BEGIN IMMEDIATE');
  database.exec(
    'CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL PRIMARY KEY, timestamp TEXT NOT NULL)',
  );
  const { pending, newer } = compareSchema(database, migrations);
  if (newer.length > 0) {
    throw new StartupError([
      `${file}: written by a newer Postern (migration ${newer.join(', ')}); start that version or restore a backup`,
    ]);
  }
  const enter = database.prepare('INSERT INTO migrations (name, timestamp) VALUES (?, ?)');
  for (const name of pending) {
    const migration = migrations[name] ?? '';
    if (typeof migration === 'string') database.exec(migration);
    else migration(database, log);
    enter.run(name, new Date().toISOString());
  }
  database.exec('COMMIT');
  return pending;
}
