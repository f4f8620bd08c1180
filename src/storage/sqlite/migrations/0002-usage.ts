import { type Kysely, sql } from 'kysely';

/** Answered live checks by account and month. Its own table, because retention deletes the checks it counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE usage (
      account_id TEXT NOT NULL,
      month TEXT NOT NULL,
      checks INTEGER NOT NULL,
      PRIMARY KEY (account_id, month)
    ) STRICT, WITHOUT ROWID`.execute(db);
  await sql`
    INSERT INTO usage (account_id, month, checks)
    SELECT account_id, substr(created_at, 1, 7), count(*) FROM checks
    WHERE environment = 'live' GROUP BY 1, 2`.execute(db);
}
