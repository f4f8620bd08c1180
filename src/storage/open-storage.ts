import type { Config } from '../app/config/config.ts';
import { StartupError } from '../errors.ts';
import { isPostgresUrl, withoutPassword } from '../lib/service-url.ts';
import type { ProviderValueStore, ReplayQueries, Storage } from './ports.ts';
import type { StorageOptions } from './shared/queued-check-store.ts';
import type { RecordsDatabase } from './shared/records-database.ts';

type StorageSettings = Config['storage'];

type OpeningOptions = Omit<StorageOptions, 'queueCapacity'>;

export function halfCopied(source: string): string {
  return `it holds part of a copy of ${source}: run the same "postern storage copy" again, which goes on where it was cut off; or drop the database`;
}

/**
 * Opens the database that `settings` name, and brings it to this version's schema. Loads the driver of SQLite or PostgreSQL only now,
 * because not every command needs a database. Throws a StartupError when it cannot be opened, or holds part of a copy.
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

/** The address for readers, past a pooler in transaction mode, which would drop our connections' settings or give them to other clients. */
export function readingUrl({ url, directUrl }: Pick<StorageSettings, 'url' | 'directUrl'>): string {
  return directUrl ?? url;
}

/** The checks on record, read-only, for a process that does not record them. */
export type RecordedChecks = ReplayQueries & Pick<RecordsDatabase, 'close'>;

/** Opens the database of a `readingUrl` read-only; `name` is the name of its connections in PostgreSQL. Rejects where there is none. */
export async function openRecords(url: string, name = 'postern insights'): Promise<RecordsDatabase> {
  if (isPostgresUrl(url)) {
    const { openPostgresRecords } = await import('./postgres/postgres-records.ts');
    return await openPostgresRecords(url, name);
  }
  const { openReadOnly, sqliteRecords } = await import('./sqlite/database.ts');
  return sqliteRecords(openReadOnly(url));
}

/** As `openRecords`, for replays. */
export async function openRecordedChecks(url: string): Promise<RecordedChecks> {
  const records = await openRecords(url, 'postern replays');
  const { RecordedQueries } = await import('./shared/replay-queries.ts');
  return Object.assign(new RecordedQueries(records), { close: () => records.close() });
}

const FIND_VALUE = 'SELECT value FROM provider_values WHERE provider = ? AND key = ? AND ends_at > ?';

/**
 * The values that the providers of a service have kept, read-only, for a command that answers as the service would. Null where
 * they cannot be read: no database, one without the table, or one that this user may not open. Plain SQL: the query builder
 * would be most of what such a command loads.
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
    // Fails here where there is no such table.
    await find('', '', 0);
    return { find, keep: async () => undefined, close: () => opened.close() };
  } catch {
    await records?.close();
    return null;
  }
}
