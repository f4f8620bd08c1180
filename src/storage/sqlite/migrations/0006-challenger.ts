import { type Kysely, sql } from 'kysely';

/** What the challenger made of a check; null in all that were answered without one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE checks ADD COLUMN challenger TEXT`.execute(db);
}
