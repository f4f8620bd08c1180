import { type Kysely, sql } from 'kysely';

/**
 * STRICT tables: a value of the wrong type is refused, not converted. `checks` has no foreign keys: a
 * record is evidence and must stay writable and readable on its own. JSON stays text.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE accounts (
      id TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE api_keys (
      id TEXT PRIMARY KEY NOT NULL,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
      name TEXT,
      prefix TEXT NOT NULL,
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      created_at TEXT NOT NULL,
      revoked_at TEXT,
      seen_in_clear_at TEXT
    ) STRICT`.execute(db);
  await sql`CREATE INDEX api_keys_by_account ON api_keys (account_id)`.execute(db);
  await sql`
    CREATE TABLE checks (
      id TEXT PRIMARY KEY NOT NULL,
      created_at TEXT NOT NULL,
      account_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      environment TEXT NOT NULL,
      action TEXT NOT NULL,
      risk_score INTEGER NOT NULL,
      risk_level TEXT NOT NULL,
      ruleset TEXT NOT NULL,
      facts TEXT NOT NULL,
      unknown TEXT NOT NULL,
      evidence TEXT NOT NULL,
      ledger TEXT NOT NULL,
      timings TEXT NOT NULL,
      sources TEXT NOT NULL,
      domain TEXT,
      address_hmac TEXT,
      address TEXT
    ) STRICT`.execute(db);
  // For retention; for the lists of one account; for forgetting a person.
  await sql`CREATE INDEX checks_by_time ON checks (created_at)`.execute(db);
  await sql`CREATE INDEX checks_by_account ON checks (account_id, created_at)`.execute(db);
  await sql`CREATE INDEX checks_by_address ON checks (address_hmac) WHERE address_hmac IS NOT NULL`.execute(
    db,
  );
}
