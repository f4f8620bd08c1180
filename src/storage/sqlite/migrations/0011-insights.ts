import { type Kysely, sql } from 'kysely';

/**
 * How long a check took, null in all that were answered before; and what was counted of whole hours, so that an overview
 * need not read a million records again. `places` is the sum of the rowids that were counted: with `checks` it tells whether
 * they are still the same. Whatever deletes a check, retention or a person's wish, takes the counts that it is in with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE checks ADD COLUMN duration_us INTEGER`.execute(db);
  await sql`
    CREATE TABLE check_hours (
      account_id TEXT NOT NULL,
      hour TEXT NOT NULL,
      checks INTEGER NOT NULL,
      places INTEGER NOT NULL,
      tally TEXT NOT NULL,
      PRIMARY KEY (account_id, hour)
    ) STRICT`.execute(db);
  await sql`
    CREATE TRIGGER check_hours_are_of_what_is_there AFTER DELETE ON checks BEGIN
      DELETE FROM check_hours WHERE account_id = OLD.account_id AND hour = substr(OLD.created_at, 1, 13);
    END`.execute(db);
}
