import { type Kysely, sql } from 'kysely';

/**
 * The index by person begins with a block now: checks recorded about the same time are neighbours in it, so that a commit
 * touches a few of its pages, not one for each of its rows. Whoever looks for a person looks in each block. All that was
 * recorded before, and what others write, is in block -1; the index of a million checks takes some seconds, once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE check_rows ADD COLUMN block INTEGER NOT NULL DEFAULT -1`.execute(db);
  await sql`DROP INDEX checks_by_person`.execute(db);
  await sql`
    CREATE INDEX checks_by_person ON check_rows (block, substr(address_hmac, 1, 16), account_id, created_at)`.execute(
    db,
  );
  await sql`
    CREATE VIEW check_blocks AS
    WITH RECURSIVE blocks (block) AS (
      SELECT min(block) FROM check_rows WHERE block >= 0
      UNION ALL
      SELECT block + 1 FROM blocks WHERE block < (SELECT max(block) FROM check_rows)
    )
    SELECT block FROM blocks WHERE block IS NOT NULL UNION ALL SELECT -1`.execute(db);
}
