import { DatabaseSync } from 'node:sqlite';
import { prepareDatabaseFile } from '../../src/storage/sqlite/database.ts';

/** The tables of the first version, 0001: its checks were not counted by month, and its keys had no end. */
const TABLES = `
  CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, timestamp TEXT NOT NULL);
  INSERT INTO migrations VALUES ('0001-accounts-keys-checks', '2026-11-01T00:00:00.000Z');
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
  ) STRICT;
  CREATE INDEX api_keys_by_account ON api_keys (account_id);
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
  ) STRICT;
  CREATE INDEX checks_by_time ON checks (created_at);
  CREATE INDEX checks_by_account ON checks (account_id, created_at);
  CREATE INDEX checks_by_address ON checks (address_hmac) WHERE address_hmac IS NOT NULL;
`;

/** Makes a database as the first version did. */
export function makeFirstDatabase(file: string): DatabaseSync {
  prepareDatabaseFile(file);
  const database = new DatabaseSync(file);
  database.exec(TABLES);
  return database;
}
