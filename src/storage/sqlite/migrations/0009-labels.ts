import { type Kysely, sql } from 'kysely';

/**
 * What became of signups. Each row is given to one check or to a person, within an account; a newer one replaces it. A
 * label of a check goes when the check does. `labelled_at` is when it was told, `recorded_at` when it came here.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE labels (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      check_id TEXT REFERENCES checks (id) ON DELETE CASCADE,
      address_hmac TEXT,
      label TEXT NOT NULL CHECK (label IN ('good', 'bad')),
      source TEXT NOT NULL,
      author TEXT,
      labelled_at TEXT NOT NULL,
      recorded_at TEXT NOT NULL,
      CHECK ((check_id IS NULL) <> (address_hmac IS NULL))
    ) STRICT`.execute(db);
  await sql`CREATE UNIQUE INDEX labels_by_check ON labels (check_id) WHERE check_id IS NOT NULL`.execute(db);
  await sql`
    CREATE UNIQUE INDEX labels_by_address ON labels (address_hmac, account_id)
    WHERE address_hmac IS NOT NULL`.execute(db);
}
