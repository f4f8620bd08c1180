import { type Kysely, sql } from 'kysely';

/** What the challenger made of a check, and which shadow rules were tried; null in all that were answered without. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE checks ADD COLUMN challenger TEXT`.execute(db);
  await sql`ALTER TABLE checks ADD COLUMN shadow_rules TEXT`.execute(db);
}
