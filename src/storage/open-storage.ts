import { StartupError } from '../errors.ts';
import { isPostgresUrl, withoutPassword } from '../lib/service-url.ts';
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

export function halfCopied(source: string): string {
  return `it holds part of a copy of ${source}: run the same "postern storage copy" again, which goes on where it was cut off; or drop the database`;
}

/**
 * Opens the database that `storage` names, and brings it to this version's schema. The client of PostgreSQL is loaded for such a one
 * alone. Throws a StartupError when it cannot be opened, or holds part of a copy.
 */
export async function openStorage(settings: StorageSettings, options: OpeningOptions): Promise<Storage> {
  const storage = await openEither(settings, options);
  try {
    const source = await storage.state.find('unfinished_copy');
    if (source === undefined) return storage;
    throw new StartupError([`storage.url: ${withoutPassword(settings.url)}: ${halfCopied(source)}`]);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function openEither(
  { url, directUrl, poolSize }: StorageSettings,
  options: OpeningOptions,
): Promise<Storage> {
  if (!isPostgresUrl(url)) return await openSqliteStorage({ ...options, file: url });
  const { openPostgresStorage } = await import('./postgres/postgres-storage.ts');
  const { durability, log } = options;
  return await openPostgresStorage({ url, directUrl, maxConnections: poolSize, durability, log });
}
