import { type Kysely, sql } from 'kysely';

/**
 * A rotated key ends at `expires_at`, and `replaced_by` is the key that takes its place. `family` is the first
 * key of a row of rotations, null in the first itself: so that this needs no rewriting of keys that stand.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE api_keys ADD COLUMN expires_at TEXT`.execute(db);
  await sql`ALTER TABLE api_keys ADD COLUMN replaced_by TEXT REFERENCES api_keys (id)`.execute(db);
  await sql`ALTER TABLE api_keys ADD COLUMN family TEXT REFERENCES api_keys (id)`.execute(db);
}
