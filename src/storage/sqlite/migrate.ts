import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Migration } from 'kysely/migration';
import { StartupError } from '../../errors.ts';
import { openDatabase } from './open-database.ts';
import { HISTORY_TABLE } from './schema.ts';
import { isBusy } from './sqlite-fault.ts';
import { WHOLE_SCHEMA } from './whole-schema.ts';

/** In the order they are applied. Never edit one that was released: add the next, and run scripts/whole-schema.ts. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-accounts-keys-checks': loaded(() => import('./migrations/0001-accounts-keys-checks.ts')),
  '0002-usage': loaded(() => import('./migrations/0002-usage.ts')),
  '0003-key-rotation': loaded(() => import('./migrations/0003-key-rotation.ts')),
  '0005-provider-values': loaded(() => import('./migrations/0005-provider-values.ts')),
  '0006-challenger': loaded(() => import('./migrations/0006-challenger.ts')),
  '0008-rule-versions': loaded(() => import('./migrations/0008-rule-versions.ts')),
  '0009-labels': loaded(() => import('./migrations/0009-labels.ts')),
  '0010-people': loaded(() => import('./migrations/0010-people.ts')),
  '0011-insights': loaded(() => import('./migrations/0011-insights.ts')),
  '0012-rule-drafts': loaded(() => import('./migrations/0012-rule-drafts.ts')),
  '0013-checks-by-person': loaded(() => import('./migrations/0013-checks-by-person.ts')),
  '0014-shared-texts': loaded(() => import('./migrations/0014-shared-texts.ts')),
  '0015-blocks-of-checks': loaded(() => import('./migrations/0015-blocks-of-checks.ts')),
  '0016-shared-timings': loaded(() => import('./migrations/0016-shared-timings.ts')),
};

/**
 * Another process that migrates is waited for this long: most migrations take milliseconds, an index that is made anew some
 * seconds for a million checks.
 */
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 20;

/**
 * Brings the database to this version's schema: all migrations or none. Of two processes that start at
 * once one migrates and the other waits. Throws a StartupError when a newer Postern wrote the database.
 */
export async function migrate(file: string, migrations = MIGRATIONS): Promise<void> {
  const database = await lock(file);
  try {
    const applied = appliedTo(database);
    refuseNewer(applied, file, migrations);
    if (applied.length === Object.keys(migrations).length) return;
    if (applied.length === 0 && migrations === MIGRATIONS) makeWhole(database);
    else {
      // With Kysely's 300 modules, which a start does without that finds its schema, or makes it whole.
      const { applyMigrations } = await import('./apply-migrations.ts');
      await applyMigrations(database, migrations);
    }
    database.exec('COMMIT');
  } finally {
    // What was not committed is rolled back by closing.
    database.close();
  }
}

/** What the migrations come to, and their history, as Kysely keeps it. */
function makeWhole(database: DatabaseSync): void {
  database.exec(WHOLE_SCHEMA);
  const enter = database.prepare(`INSERT INTO ${HISTORY_TABLE} (name, timestamp) VALUES (?, ?)`);
  const now = new Date().toISOString();
  for (const name of Object.keys(MIGRATIONS)) enter.run(name, now);
  database.exec(`INSERT INTO ${HISTORY_TABLE}_lock (id) VALUES ('migration_lock')`);
}

function loaded(load: () => Promise<Migration>): Migration {
  return { up: async (db) => (await load()).up(db) };
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

function appliedTo(database: DatabaseSync): readonly string[] {
  const hasHistory = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  if (!hasHistory.get(HISTORY_TABLE)) return [];
  const applied = database.prepare(`SELECT name FROM ${HISTORY_TABLE} ORDER BY name`).all();
  return applied.map(({ name }) => String(name));
}

function refuseNewer(
  applied: readonly string[],
  file: string,
  known: Readonly<Record<string, Migration>>,
): void {
  const newer = applied.filter((name) => !(name in known));
  if (newer.length === 0) return;
  throw new StartupError([
    `${file}: written by a newer Postern (migration ${newer.join(', ')}); start that version or restore a backup`,
  ]);
}
