import { type Kysely, sql } from 'kysely';

/**
 * Rule sets as they were put in force. `files` is JSON, path to the SHA-256 of a text in `rule_texts`: most versions share
 * most of their texts. AUTOINCREMENT, because records and people name versions: no number is given twice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE rule_texts (
      digest TEXT PRIMARY KEY NOT NULL,
      text TEXT NOT NULL
    ) STRICT`.execute(db);
  await sql`
    CREATE TABLE rule_versions (
      version INTEGER PRIMARY KEY AUTOINCREMENT,
      hash TEXT,
      digest TEXT NOT NULL,
      reason TEXT NOT NULL CHECK (reason IN ('start', 'change', 'sighup', 'rollback', 'expiry', 'draft')),
      at TEXT NOT NULL,
      author TEXT,
      restores INTEGER,
      files TEXT NOT NULL
    ) STRICT`.execute(db);
  // Who is about to change the files to what; used up by the version that comes of it.
  await sql`
    CREATE TABLE rule_announcements (
      digest TEXT PRIMARY KEY NOT NULL,
      author TEXT NOT NULL,
      restores INTEGER
    ) STRICT, WITHOUT ROWID`.execute(db);
  // What is wrong in the rules directory now: one row or none.
  await sql`
    CREATE TABLE rule_complaint (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      kind TEXT NOT NULL CHECK (kind IN ('refused', 'failing')),
      at TEXT NOT NULL,
      digest TEXT,
      faults TEXT NOT NULL
    ) STRICT`.execute(db);
}
