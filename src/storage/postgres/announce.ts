import { type QueryExecutorProvider, sql } from 'kysely';
import type { ChangeTopic } from '../change-feed.ts';

export const CHANGE_CHANNEL = 'postern_changes';

/** Within a transaction it is sent by the commit, and never where there is none. Of two that are the same one is sent. */
export async function announceChange(db: QueryExecutorProvider, topic: ChangeTopic): Promise<void> {
  await notify(db, topic);
}

export async function notify(db: QueryExecutorProvider, payload: string): Promise<void> {
  await sql`SELECT pg_notify(${CHANGE_CHANNEL}, ${payload})`.execute(db);
}
