import type { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { nodeSqliteDialect } from './kysely-node-sqlite.ts';
import { HISTORY_TABLE } from './schema.ts';

/** Applies those that the database does not know yet, in their order. Throws the first fault; commits nothing itself. */
export async function applyMigrations(
  database: DatabaseSync,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const { error } = await new Migrator({
    db: new Kysely<unknown>({ dialect: nodeSqliteDialect(database) }),
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: HISTORY_TABLE,
    migrationLockTableName: `${HISTORY_TABLE}_lock`,
  }).migrateToLatest();
  if (error !== undefined) throw error;
}
