export const ACCOUNTS_AND_KEYS = `CREATE TABLE accounts (
      id TEXT PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;
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
    ) STRICT;
    CREATE INDEX api_keys_by_account ON api_keys (account_id);`;

/** The columns of the first `checks` table, without the id. `challenger` and the columns behind it came later. */
export const FIRST_COLUMNS = `      created_at TEXT NOT NULL,
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
      address TEXT`;

export const LABEL_COLUMNS = `      account_id TEXT NOT NULL REFERENCES accounts (id),
      check_id TEXT REFERENCES checks (id) ON DELETE CASCADE,
      address_hmac TEXT,
      label TEXT NOT NULL CHECK (label IN ('good', 'bad')),
      source TEXT NOT NULL,
      author TEXT,
      labelled_at TEXT NOT NULL,
      recorded_at TEXT NOT NULL,
      CHECK ((check_id IS NULL) <> (address_hmac IS NULL))`;

/**
 * The migrations up to the version before plain checks, as plain SQL. A database of any older version applies those that it lacks; a
 * new one applies all of them. STRICT tables: a value of the wrong type is refused, not converted. PostgreSQL's first schema uses
 * parts of them too.
 */
export const MIGRATIONS_TO_0016: Readonly<Record<string, string>> = {
  // `checks` has no foreign keys: a record is evidence and must stay writable and readable on its own. JSON
  // stays text. The indexes are for retention, for the lists of one account, and for forgetting a person.
  '0001-accounts-keys-checks': `
    ${ACCOUNTS_AND_KEYS}
    CREATE TABLE checks (
      id TEXT PRIMARY KEY NOT NULL,
${FIRST_COLUMNS}
    ) STRICT;
    CREATE INDEX checks_by_time ON checks (created_at);
    CREATE INDEX checks_by_account ON checks (account_id, created_at);
    CREATE INDEX checks_by_address ON checks (address_hmac) WHERE address_hmac IS NOT NULL;
  `,

  // Answered live checks by account and month. Its own table, because retention deletes the checks it
  // counts.
  '0002-usage': `
    CREATE TABLE usage (
      account_id TEXT NOT NULL,
      month TEXT NOT NULL,
      checks INTEGER NOT NULL,
      PRIMARY KEY (account_id, month)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO usage (account_id, month, checks)
    SELECT account_id, substr(created_at, 1, 7), count(*) FROM checks
    WHERE environment = 'live' GROUP BY 1, 2;
  `,

  // A rotated key ends at `expires_at`, and `replaced_by` is the key that takes its place. `family` is the
  // first key of a chain of rotations. It is null in that first key itself, so that existing keys need no
  // rewriting.
  '0003-key-rotation': `
    ALTER TABLE api_keys ADD COLUMN expires_at TEXT;
    ALTER TABLE api_keys ADD COLUMN replaced_by TEXT REFERENCES api_keys (id);
    ALTER TABLE api_keys ADD COLUMN family TEXT REFERENCES api_keys (id);
  `,

  // Values that signal providers keep across restarts, until `ends_at`, in milliseconds since the epoch.
  '0005-provider-values': `
    CREATE TABLE provider_values (
      provider TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      ends_at INTEGER NOT NULL,
      PRIMARY KEY (provider, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX provider_values_by_end ON provider_values (ends_at);
  `,

  // The challenger's decision, and the shadow rules that were tried; null in checks answered without them.
  '0006-challenger': `
    ALTER TABLE checks ADD COLUMN challenger TEXT;
    ALTER TABLE checks ADD COLUMN shadow_rules TEXT;
  `,

  // Rule sets as they were put in force. `files` is JSON, path to the SHA-256 of a text in `rule_texts`:
  // most versions share most of their texts. AUTOINCREMENT, because records and people name versions: no
  // number is given twice.
  '0008-rule-versions': `
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
  `,

  // What became of signups. Each row labels one check or one person, within an account; a newer label
  // replaces it. A label of a check is deleted with the check. `labelled_at` is when the label was given,
  // `recorded_at` when it was stored here.
  '0009-labels': `
    CREATE TABLE labels (
${LABEL_COLUMNS}
    ) STRICT;
    CREATE UNIQUE INDEX labels_by_check ON labels (check_id) WHERE check_id IS NOT NULL;
    CREATE UNIQUE INDEX labels_by_address ON labels (address_hmac, account_id)
    WHERE address_hmac IS NOT NULL;
  `,

  // Who may sign in, and what was done by whom. `sessions` and `credentials` are read and written by the
  // library for sessions, which asks for every column that they have. A one-time link is kept as the hash
  // of its token. The trail has no foreign keys: it outlives the people it names.
  '0010-people': `
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
  `,

  // How long a check took, null in checks answered before; and the counts of whole hours. The trigger
  // deletes the counts of an hour with any check of that hour.
  '0011-insights': `
    ALTER TABLE checks ADD COLUMN duration_us INTEGER;
    CREATE TABLE check_hours (
      account_id TEXT NOT NULL,
      hour TEXT NOT NULL,
      checks INTEGER NOT NULL,
      places INTEGER NOT NULL,
      tally TEXT NOT NULL,
      PRIMARY KEY (account_id, hour)
    ) STRICT;
    CREATE TRIGGER check_hours_are_of_what_is_there AFTER DELETE ON checks BEGIN
      DELETE FROM check_hours WHERE account_id = OLD.account_id AND hour = substr(OLD.created_at, 1, 13);
    END;
  `,

  // Rules that are being edited. `files` and `base_files` are JSON, path to text: a draft holds its base
  // itself, because the base may never have been a version. `revision` rises with each save; a save names
  // the revision that it was made from.
  '0012-rule-drafts': `
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
  `,

  // The checks of an address in the order of time, account by account, in place of the index on the address
  // alone: an account's search reads no checks of others.
  '0013-checks-by-person': `
    DROP INDEX checks_by_address;
    CREATE INDEX checks_by_person ON checks (address_hmac, account_id, created_at)
    WHERE address_hmac IS NOT NULL;
  `,

  // Rows refer to texts that they share; `checks` is a view. What the view shows and takes does not matter
  // any more: 0017 follows in the same transaction.
  '0014-shared-texts': `
    ALTER TABLE checks RENAME TO check_rows;
    CREATE TABLE check_texts (
      id TEXT PRIMARY KEY NOT NULL,
      text TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE VIEW checks AS SELECT * FROM check_rows;
  `,

  // The index by person begins with a block of rows.
  '0015-blocks-of-checks': `
    ALTER TABLE check_rows ADD COLUMN block INTEGER NOT NULL DEFAULT -1;
    DROP INDEX checks_by_person;
    CREATE INDEX checks_by_person ON check_rows (block, substr(address_hmac, 1, 16), account_id, created_at);
    CREATE VIEW check_blocks AS SELECT DISTINCT block FROM check_rows;
  `,

  // `timings` names its providers as `facts` names its facts; only what the view shows changed.
  '0016-shared-timings': '',
};
