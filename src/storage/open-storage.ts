import { StartupError } from '../errors.ts';
import { isPostgresUrl, withoutPassword } from '../lib/service-url.ts';
import type { Logger } from '../observability/logger.ts';
import type { Storage } from './ports.ts';
import type { Revocations } from './revocation-log.ts';

export interface StorageSettings {
  /** The path of an SQLite database, or the address of a PostgreSQL one. */
  readonly url: string;
  readonly directUrl: string | null;
  readonly poolSize: number;
}

interface OpeningOptions {
  readonly durability: 'commit' | 'async';
  /** For a service: its event loop never waits for the disk. */
  readonly isThreaded?: true;
  readonly log?: Logger;
  /** Told before what a restored file must not bring back. A server is restored by its own means. */
  readonly revocations?: Revocations;
}

export function halfCopied(source: string): string {
  return `it holds part of a copy of ${source}: run the same "postern storage copy" again, which goes on where it was cut off; or drop the database`;
}

/**
 * Opens the database that `storage` names, and brings it to this version's schema. What reads and writes either is loaded now: not
 * every command that may need a database does. Throws a StartupError when it cannot be opened, or holds part of a copy.
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
  if (!isPostgresUrl(url)) {
    const { openSqliteStorage } = await import('./sqlite/sqlite-storage.ts');
    return await openSqliteStorage({ ...options, file: url });
  }
  const { openPostgresStorage } = await import('./postgres/postgres-storage.ts');
  const { durability, log } = options;
  return await openPostgresStorage({ url, directUrl, maxConnections: poolSize, durability, log });
}
