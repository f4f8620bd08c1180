import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StartupError } from '../../errors.ts';
import { nodeSqliteDialect } from './kysely-node-sqlite.ts';
import * as accountsKeysChecks from './migrations/0001-accounts-keys-checks.ts';
import * as usage from './migrations/0002-usage.ts';
import * as keyRotation from './migrations/0003-key-rotation.ts';
import * as providerValues from './migrations/0005-provider-values.ts';
import { openDatabase } from './open-database.ts';
import { isBusy } from './sqlite-fault.ts';

/** In the order they are applied. Never edit one that was released: add the next. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-accounts-keys-checks': accountsKeysChecks,
  '0002-usage': usage,
  '0003-key-rotation': keyRotation,
  '0005-provider-values': providerValues,
};

const HISTORY_TABLE = 'migrations';
/** Another process that migrates is waited for this long; our migrations take milliseconds. */
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 20;

/**
 * Brings the database to this version's schema: all migrations or none. Of two processes that start at
 * once one migrates and the other waits. Throws a StartupError when a newer Postern wrote the database.
 */
export async function migrate(file: string, migrations = MIGRATIONS): Promise<void> {
  const database = await lock(file);
  try {
    refuseNewer(database, file, migrations);
    const { error } = await new Migrator({
      db: new Kysely<unknown>({ dialect: nodeSqliteDialect(database) }),
      provider: { getMigrations: async () => ({ ...migrations }) },
      migrationTableName: HISTORY_TABLE,
      migrationLockTableName: `${HISTORY_TABLE}_lock`,
    }).migrateToLatest();
    if (error !== undefined) throw error;
    database.exec('COMMIT');
  } finally {
    // What was not committed is rolled back by closing.
    database.close();
  }
}

/**
 * Takes the write lock. Kysely's migrator opens no transaction on SQLite, so this one spans all of it.
 * Waits without SQLite's busy handler, which would block the event loop that may have to release the lock.
 */
async function lock(file: string): Promise<DatabaseSync> {
  for (let waitedMs = 0; ; waitedMs += LOCK_RETRY_MS) {
    let database: DatabaseSync | undefined;
    try {
      database = openDatabase(file, 0);
      database.exec('BEGIN IMMEDIATE');
      return database;
    } catch (error) {
      database?.close();
      if (!isBusy(error) || waitedMs >= LOCK_WAIT_MS) throw error;
    }
    await wait(LOCK_RETRY_MS);
  }
}

function refuseNewer(database: DatabaseSync, file: string, known: Readonly<Record<string, Migration>>): void {
  const hasHistory = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  if (!hasHistory.get(HISTORY_TABLE)) return;
  const applied = database.prepare(`SELECT name FROM ${HISTORY_TABLE} ORDER BY name`).all();
  const newer = applied.map(({ name }) => String(name)).filter((name) => !(name in known));
  if (newer.length === 0) return;
  throw new StartupError([
    `${file}: written by a newer Postern (migration ${newer.join(', ')}); start that version or restore a backup`,
  ]);
}
