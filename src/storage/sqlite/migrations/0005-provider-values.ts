import { type Kysely, sql } from 'kysely';

/** What signal providers keep across restarts, each value until `ends_at`, in milliseconds since the epoch. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE provider_values (
      provider TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      ends_at INTEGER NOT NULL,
      PRIMARY KEY (provider, key)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX provider_values_by_end ON provider_values (ends_at)`.execute(db);
}
