import { type Kysely, sql } from 'kysely';

/**
 * Rules that somebody works on. `files` and `base_files` are JSON, path to text: a draft is whole without its base, which
 * a version may never have been. `revision` rises with each save; a save names the one that it was made from.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
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
    ) STRICT`.execute(db);
}
