import { Kysely } from 'kysely';
import type { Instruments } from '../../observability/metrics.ts';
import type { Storage } from '../ports.ts';
import { notify } from './announce.ts';
import { PostgresChangeListener } from './change-listener.ts';

/** Begins to listen for what instances announce. `url` is the server's own, not a pooler's. */
export async function openChangeFeed(
  url: string,
  storage: Storage,
  instruments: Pick<Instruments, 'log' | 'metrics'>,
): Promise<PostgresChangeListener> {
  const db = new Kysely<never>({ dialect: await storage.peopleStorage.sessionDialect() });
  const listener = new PostgresChangeListener({
    ...instruments,
    url,
    notify: (payload) => notify(db, payload),
  });
  listener.begin();
  return listener;
}
