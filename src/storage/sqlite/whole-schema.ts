// Written by scripts/whole-schema.ts, from the migrations.

/** What a database has when all migrations were applied. */
export const WHOLE_SCHEMA = `
CREATE TABLE "migrations" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);

CREATE TABLE "migrations_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);

CREATE TABLE accounts (
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
    , expires_at TEXT, replaced_by TEXT REFERENCES api_keys (id), family TEXT REFERENCES api_keys (id)) STRICT;

CREATE INDEX api_keys_by_account ON api_keys (account_id);

CREATE TABLE "check_rows" (
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
    , challenger TEXT, shadow_rules TEXT, duration_us INTEGER, block INTEGER NOT NULL DEFAULT -1) STRICT;

CREATE INDEX checks_by_time ON "check_rows" (created_at);

CREATE INDEX checks_by_account ON "check_rows" (account_id, created_at);

CREATE TABLE usage (
      account_id TEXT NOT NULL,
      month TEXT NOT NULL,
      checks INTEGER NOT NULL,
      PRIMARY KEY (account_id, month)
    ) STRICT, WITHOUT ROWID;

CREATE TABLE provider_values (
      provider TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      ends_at INTEGER NOT NULL,
      PRIMARY KEY (provider, key)
    ) STRICT, WITHOUT ROWID;

CREATE INDEX provider_values_by_end ON provider_values (ends_at);

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

CREATE TABLE labels (
      account_id TEXT NOT NULL REFERENCES accounts (id),
      check_id TEXT REFERENCES "check_rows" (id) ON DELETE CASCADE,
      address_hmac TEXT,
      label TEXT NOT NULL CHECK (label IN ('good', 'bad')),
      source TEXT NOT NULL,
      author TEXT,
      labelled_at TEXT NOT NULL,
      recorded_at TEXT NOT NULL,
      CHECK ((check_id IS NULL) <> (address_hmac IS NULL))
    ) STRICT;

CREATE UNIQUE INDEX labels_by_check ON labels (check_id) WHERE check_id IS NOT NULL;

CREATE UNIQUE INDEX labels_by_address ON labels (address_hmac, account_id)
    WHERE address_hmac IS NOT NULL;

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

CREATE TABLE check_hours (
      account_id TEXT NOT NULL,
      hour TEXT NOT NULL,
      checks INTEGER NOT NULL,
      places INTEGER NOT NULL,
      tally TEXT NOT NULL,
      PRIMARY KEY (account_id, hour)
    ) STRICT;

CREATE TRIGGER check_hours_are_of_what_is_there AFTER DELETE ON "check_rows" BEGIN
      DELETE FROM check_hours WHERE account_id = OLD.account_id AND hour = substr(OLD.created_at, 1, 13);
    END;

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

CREATE TABLE check_texts (
      id TEXT PRIMARY KEY NOT NULL,
      text TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

CREATE INDEX checks_by_person ON check_rows (block, substr(address_hmac, 1, 16), account_id, created_at);

CREATE VIEW check_blocks AS
    WITH RECURSIVE blocks (block) AS (
      SELECT min(block) FROM check_rows WHERE block >= 0
      UNION ALL
      SELECT block + 1 FROM blocks WHERE block < (SELECT max(block) FROM check_rows)
    )
    SELECT block FROM blocks WHERE block IS NOT NULL UNION ALL SELECT -1;

CREATE VIEW checks AS SELECT
      id, created_at, account_id, key_id, environment, action, risk_score, risk_level, ruleset,
      iif(facts LIKE '[%',
        (SELECT (SELECT json_group_object(name.value, json(facts -> (name.key + 1))) FROM json_each(text) AS name)
         FROM check_texts WHERE check_texts.id = facts ->> 0),
        facts) AS facts,
      unknown, evidence, ledger,
      iif(timings LIKE '[%',
        (SELECT (SELECT json_group_object(name.value, json(timings -> (name.key + 1))) FROM json_each(text) AS name)
         FROM check_texts WHERE check_texts.id = timings ->> 0),
        timings) AS timings,
      iif(sources LIKE '"%', (SELECT text FROM check_texts WHERE check_texts.id = sources ->> '$'), sources) AS sources,
      domain, address_hmac, address, challenger, shadow_rules, duration_us
    FROM check_rows;

CREATE TRIGGER checks_take_new_rows INSTEAD OF INSERT ON checks BEGIN
      INSERT INTO check_rows (id, created_at, account_id, key_id, environment, action, risk_score, risk_level, ruleset, facts, unknown, evidence, ledger, timings, sources, domain, address_hmac, address, challenger, shadow_rules, duration_us) VALUES (NEW.id, NEW.created_at, NEW.account_id, NEW.key_id, NEW.environment, NEW.action, NEW.risk_score, NEW.risk_level, NEW.ruleset, NEW.facts, NEW.unknown, NEW.evidence, NEW.ledger, NEW.timings, NEW.sources, NEW.domain, NEW.address_hmac, NEW.address, NEW.challenger, NEW.shadow_rules, NEW.duration_us);
    END;

CREATE TRIGGER checks_take_changes INSTEAD OF UPDATE ON checks BEGIN
      UPDATE check_rows SET (id, created_at, account_id, key_id, environment, action, risk_score, risk_level, ruleset, facts, unknown, evidence, ledger, timings, sources, domain, address_hmac, address, challenger, shadow_rules, duration_us) = (NEW.id, NEW.created_at, NEW.account_id, NEW.key_id, NEW.environment, NEW.action, NEW.risk_score, NEW.risk_level, NEW.ruleset, NEW.facts, NEW.unknown, NEW.evidence, NEW.ledger, NEW.timings, NEW.sources, NEW.domain, NEW.address_hmac, NEW.address, NEW.challenger, NEW.shadow_rules, NEW.duration_us) WHERE id = OLD.id;
    END;

CREATE TRIGGER checks_let_rows_go INSTEAD OF DELETE ON checks BEGIN
      DELETE FROM check_rows WHERE id = OLD.id;
    END;
`;
