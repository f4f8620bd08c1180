/**
 * The tables of the first release, in SQLite's words. STRICT: a value of the wrong type is refused, not converted. A step after 0018
 * that changes a table is in migration-steps.ts.
 */
function tables(dialect: 'sqlite' | 'postgres'): string {
  const isSqlite = dialect === 'sqlite';
  return `
    CREATE TABLE accounts (
      id TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;

    -- A rotated key ends at expires_at, and replaced_by is the key that takes its place. family is the first key of a chain of
    -- rotations, and null in that first key itself.
    CREATE TABLE api_keys (
      id TEXT PRIMARY KEY NOT NULL,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
      name TEXT,
      prefix TEXT NOT NULL,
      hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
      created_at TEXT NOT NULL,
      revoked_at TEXT,
      seen_in_clear_at TEXT,
      expires_at TEXT,
      replaced_by TEXT REFERENCES api_keys (id),
      family TEXT REFERENCES api_keys (id)
    ) STRICT;
    CREATE INDEX api_keys_by_account ON api_keys (account_id);

    -- No foreign keys: a record is evidence and must stay writable and readable on its own. JSON stays text. The indexes are for
    -- retention, for the lists of one account, and for the checks of a person; all end with the id, for pages by (created_at, id).
    CREATE TABLE checks (
      id TEXT ${isSqlite ? 'PRIMARY KEY ' : ''}NOT NULL,
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
      address TEXT,
      challenger TEXT,
      shadow_rules TEXT,
      duration_us INTEGER
    ) ${isSqlite ? 'STRICT' : 'PARTITION BY RANGE (created_at)'};
    CREATE INDEX checks_by_time ON checks (created_at, id);
    CREATE INDEX checks_by_account ON checks (account_id, created_at, id);
    CREATE INDEX checks_by_person ON checks (address_hmac, account_id, created_at, id) WHERE address_hmac IS NOT NULL;

    -- Answered live checks by account and month. Its own table, because retention deletes the checks that it counts.
    CREATE TABLE usage (
      account_id TEXT NOT NULL,
      month TEXT NOT NULL,
      checks INTEGER NOT NULL,
      PRIMARY KEY (account_id, month)
    ) STRICT, WITHOUT ROWID;

    -- The counts of whole hours. Deleting any check of an hour deletes its counts.
    CREATE TABLE check_hours (
      account_id TEXT NOT NULL,
      hour TEXT NOT NULL,
      checks INTEGER NOT NULL,
      tally TEXT NOT NULL,
      PRIMARY KEY (account_id, hour)
    ) STRICT;

    -- What became of signups. Each row labels one check or one person, within an account; a newer label replaces it. A label of a
    -- check is deleted with the check. labelled_at is when the label was given, recorded_at when it was stored here.
    CREATE TABLE labels (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      check_id TEXT${isSqlite ? ' REFERENCES checks (id) ON DELETE CASCADE' : ''},
      address_hmac TEXT,
      label TEXT NOT NULL CHECK (label IN ('good', 'bad')),
      source TEXT NOT NULL,
      author TEXT,
      labelled_at TEXT NOT NULL,
      recorded_at TEXT NOT NULL,
      CHECK ((check_id IS NULL) <> (address_hmac IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX labels_by_check ON labels (check_id) WHERE check_id IS NOT NULL;
    CREATE UNIQUE INDEX labels_by_address ON labels (address_hmac, account_id) WHERE address_hmac IS NOT NULL;

    -- Values that signal providers keep across restarts, until ends_at, in milliseconds since the epoch.
    CREATE TABLE provider_values (
      provider TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      ends_at INTEGER NOT NULL,
      PRIMARY KEY (provider, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX provider_values_by_end ON provider_values (ends_at);

    -- What the service remembers about itself.
    CREATE TABLE service_state (
      name TEXT PRIMARY KEY NOT NULL,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Rule sets as they were put in force. files is JSON, path to the SHA-256 of a text in rule_texts: most versions share most of
    -- their texts. AUTOINCREMENT, because records and people name versions: no number is given twice.
    CREATE TABLE rule_texts (
      digest TEXT PRIMARY KEY NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE rule_versions (
      version INTEGER PRIMARY KEY AUTOINCREMENT,
      hash TEXT,
      digest TEXT NOT NULL,
      reason TEXT NOT NULL CHECK (reason IN ('start', 'change', 'sighup', 'rollback', 'expiry', 'draft')),
      at TEXT NOT NULL,
      author TEXT,
      restores INTEGER,
      files TEXT NOT NULL
    ) STRICT;
    CREATE TABLE rule_announcements (
      digest TEXT PRIMARY KEY NOT NULL,
      author TEXT NOT NULL,
      restores INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rule_complaint (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kind TEXT NOT NULL CHECK (kind IN ('refused', 'failing')),
      at TEXT NOT NULL,
      digest TEXT,
      faults TEXT NOT NULL
    ) STRICT;

    -- Rules that are being edited. files and base_files are JSON, path to text: a draft holds its base itself, because the base may
    -- never have been a version. revision rises with each save; a save names the revision that it was made from.
    CREATE TABLE rule_drafts (
      id TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      author TEXT NOT NULL,
      author_id TEXT NOT NULL,
      created_at TEXT NOT NULL,
      saved_by TEXT NOT NULL,
      saved_by_id TEXT NOT NULL,
      saved_at TEXT NOT NULL,
      revision INTEGER NOT NULL,
      base_hash TEXT NOT NULL,
      base_digest TEXT NOT NULL,
      base_files TEXT NOT NULL,
      files TEXT NOT NULL,
      backtest TEXT
    ) STRICT;

    -- Who may sign in, and what was done by whom. sessions and credentials are read and written by the library for sessions, which
    -- asks for every column that they have. A one-time link is kept as the hash of its token. The trail has no foreign keys: it
    -- outlives the people it names.
    CREATE TABLE people (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      email_verified INTEGER NOT NULL DEFAULT 0,
      name TEXT NOT NULL,
      image TEXT,
      operator_role TEXT CHECK (operator_role IN ('owner', 'analyst')),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE TABLE memberships (
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      account_id TEXT NOT NULL REFERENCES accounts (id),
      role TEXT NOT NULL CHECK (role IN ('developer', 'viewer')),
      PRIMARY KEY (person_id, account_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE credentials (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      provider TEXT NOT NULL,
      subject TEXT NOT NULL,
      password TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      UNIQUE (person_id, provider)
    ) STRICT;
    CREATE TABLE sessions (
      id TEXT PRIMARY KEY,
      person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      token TEXT NOT NULL UNIQUE,
      expires_at TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      client_address TEXT,
      user_agent TEXT
    ) STRICT;
    CREATE INDEX sessions_by_person ON sessions (person_id);
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
    ) STRICT;
    CREATE TABLE audit_trail (
      id TEXT PRIMARY KEY,
      at TEXT NOT NULL,
      person_id TEXT,
      person TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT,
      account_id TEXT,
      detail TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX audit_trail_by_account ON audit_trail (account_id, id);
    CREATE INDEX audit_trail_by_person ON audit_trail (person_id, id);
  `;
}

/** SQLite's DDL in PostgreSQL's words. Texts are ordered by their octets, as in SQLite, whatever the database's own collation is. */
function inPostgres(sql: string): string {
  return sql
    .replaceAll(' TEXT', ' TEXT COLLATE "C"')
    .replaceAll(' BLOB', ' BYTEA')
    .replaceAll(/ (checks|ends_at|duration_us) INTEGER/g, ' $1 BIGINT')
    .replaceAll('PRIMARY KEY AUTOINCREMENT', 'GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY')
    .replaceAll(/ STRICT(, WITHOUT ROWID)?;/g, ';');
}

/**
 * The first step in each dialect. What differs in PostgreSQL:
 *
 * - `checks` is partitioned by weeks, so that retention drops whole weeks. Instants stay ISO 8601 texts, so that rows are the same in
 *   either database; collation C orders them by time. `id` is unique in each partition, which a partitioned table as a whole cannot
 *   have: ids begin with their time, so that equal ids are in the same week.
 * - Labels cannot refer to a partitioned table by `id` alone: the trigger deletes them, as it deletes counts of hours. Its lock, in the
 *   weak mode of DELETE, waits for transactions that store labels or counts of checks that they have just read (`holdTable`).
 * - Numbers that may grow beyond 31 bits are BIGINT.
 */
export const SCHEMA_0018 = {
  sqlite: `${tables('sqlite')}
    CREATE TRIGGER check_hours_are_of_what_is_there AFTER DELETE ON checks BEGIN
      DELETE FROM check_hours WHERE account_id = OLD.account_id AND hour = substr(OLD.created_at, 1, 13);
    END;
  `,
  postgres: `${inPostgres(tables('postgres'))}
    CREATE FUNCTION delete_what_was_made_of_checks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      LOCK TABLE labels, check_hours IN ROW EXCLUSIVE MODE;
      DELETE FROM labels WHERE check_id IN (SELECT id FROM gone);
      DELETE FROM check_hours WHERE (account_id, hour) IN (SELECT account_id, left(created_at, 13) FROM gone);
      RETURN NULL;
    END $$;
    CREATE TRIGGER checks_are_deleted AFTER DELETE ON checks REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION delete_what_was_made_of_checks();
  `,
};
