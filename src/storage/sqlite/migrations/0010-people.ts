import { type Kysely, sql } from 'kysely';

/**
 * Who may sign in, and what was done by whom. `sessions` and `credentials` are read and written by the library for
 * sessions, which asks for every column that they have. A one-time link is kept as the hash of its token. The trail
 * refers to nobody: it outlives those who stand in it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE people (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      email_verified INTEGER NOT NULL DEFAULT 0,
      name TEXT NOT NULL,
      image TEXT,
      operator_role TEXT CHECK (operator_role IN ('owner', 'analyst')),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE memberships (
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      role TEXT NOT NULL CHECK (role IN ('developer', 'viewer')),
      PRIMARY KEY (person_id, account_id)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    CREATE TABLE credentials (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      provider TEXT NOT NULL,
      subject TEXT NOT NULL,
      password TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (person_id, provider)
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE sessions (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      token TEXT NOT NULL UNIQUE,
      expires_at TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      client_address TEXT,
      user_agent TEXT
    ) STRICT`.execute(db);
  await sql`CREATE INDEX sessions_by_person ON sessions (person_id)`.execute(db);
  await sql`
    CREATE TABLE one_time_links (
      id TEXT PRIMARY KEY,
      purpose TEXT NOT NULL CHECK (purpose IN ('setup', 'invitation', 'password')),
      hash BLOB NOT NULL UNIQUE,
      email TEXT,
      person_id TEXT REFERENCES people (id) ON DELETE CASCADE,
      operator_role TEXT CHECK (operator_role IN ('owner', 'analyst')),
      account_id TEXT REFERENCES accounts (id),
      account_role TEXT CHECK (account_role IN ('developer', 'viewer')),
      created_by TEXT,
      created_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      used_at TEXT,
      revoked_at TEXT,
      CHECK ((account_id IS NULL) = (account_role IS NULL))
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE audit_trail (
      id TEXT PRIMARY KEY,
      at TEXT NOT NULL,
      person_id TEXT,
      person TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT,
      account_id TEXT,
      detail TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`CREATE INDEX audit_trail_by_account ON audit_trail (account_id, id)`.execute(db);
  await sql`CREATE INDEX audit_trail_by_person ON audit_trail (person_id, id)`.execute(db);
}
