import { isPostgresUrl } from '../lib/service-url.ts';
import type { Logger } from '../observability/logger.ts';
import type { Storage } from './ports.ts';
import type { Revocations } from './revocation-log.ts';
import { openSqliteStorage } from './sqlite/sqlite-storage.ts';

export interface StorageSettings {
  /** The path of an SQLite database, or the address of a PostgreSQL one. */
  readonly url: string;
  readonly directUrl: string | null;
  readonly poolSize: number;
}

interface OpeningOptions {
  readonly durability: 'commit' | 'async';
  readonly log?: Logger;
  /** Told before what a restored file must not bring back. A server is restored by its own means. */
  readonly revocations?: Revocations;
}

/**
 * Opens the database that `storage` names, and brings it to this version's schema. The client of PostgreSQL is loaded for such a one
 * alone. Throws a StartupError when it cannot be opened.
 */
export async function openStorage(
  { url, directUrl, poolSize }: StorageSettings,
  options: OpeningOptions,
): Promise<Storage> {
  if (!isPostgresUrl(url)) return await openSqliteStorage({ ...options, file: url });
  const { openPostgresStorage } = await import('./postgres/postgres-storage.ts');
  const { durability, log } = options;
  return await openPostgresStorage({ url, directUrl, maxConnections: poolSize, durability, log });
}
