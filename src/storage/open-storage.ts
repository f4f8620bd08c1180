import { StartupError } from '../errors.ts';
import { isPostgresUrl, withoutPassword } from '../lib/service-url.ts';
import type { Logger } from '../observability/logger.ts';
import type { ProviderValueStore, ReplayQueries, Storage } from './ports.ts';
import type { Revocations } from './revocation-log.ts';
import type { RecordsDatabase, ReplayDatabase } from './shared/records-database.ts';

interface StorageSettings {
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

/** Past a pooler that lends connections by the transaction: it would drop what ours are set to, or set others to it. */
export function readingUrl({ url, directUrl }: Pick<StorageSettings, 'url' | 'directUrl'>): string {
  return directUrl ?? url;
}

/** The checks on record, for another process than the one that records them: read, never written. */
export type RecordedChecks = ReplayQueries & Pick<RecordsDatabase, 'close'>;

/** The database of a `readingUrl`, to be read; `name` is what a server calls its connections. Rejects where there is none. */
export async function openRecords(url: string, name = 'postern insights'): Promise<ReplayDatabase> {
  if (isPostgresUrl(url)) {
    const { openPostgresRecords } = await import('./postgres/postgres-records.ts');
    return await openPostgresRecords(url, name);
  }
  const { openReadOnly, sqliteRecords } = await import('./sqlite/database.ts');
  return sqliteRecords(openReadOnly(url));
}

/** The same, for what judges recorded checks again. */
export async function openRecordedChecks(url: string): Promise<RecordedChecks> {
  const records = await openRecords(url, 'postern replays');
  const { RecordedQueries } = await import('./shared/replay-queries.ts');
  return Object.assign(new RecordedQueries(records), { close: () => records.close() });
}

const FIND_VALUE = 'SELECT value FROM provider_values WHERE provider = ? AND key = ? AND ends_at > ?';

/**
 * What the providers of a service have kept, for a command that answers as it would: read, never written. Null where
 * there is none to be read: no database, none of this version, or none that this user may open. Without the query builder,
 * which would be most of what such a command loads.
 */
export async function readProviderValues(
  url: string,
): Promise<(ProviderValueStore & Pick<RecordsDatabase, 'close'>) | null> {
  let records: RecordsDatabase | undefined;
  try {
    records = await openRecords(url);
    const opened = records;
    const find = async (provider: string, key: string, atMs: number) => {
      const [found] = await opened.all<{ readonly value: string }>(FIND_VALUE, provider, key, atMs);
      return found?.value;
    };
    // Whether there is such a table.
    await find('', '', 0);
    return { find, keep: async () => undefined, close: () => opened.close() };
  } catch {
    await records?.close();
    return null;
  }
}
