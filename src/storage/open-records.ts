import { isPostgresUrl } from '../lib/service-url.ts';
import type { StorageSettings } from './open-storage.ts';
import type { ProviderValueStore, ReplayQueries } from './ports.ts';
import type { RecordsDatabase } from './shared/records-database.ts';

/** Past a pooler that lends connections by the transaction: it would drop what ours are set to, or set others to it. */
export function readingUrl({ url, directUrl }: Pick<StorageSettings, 'url' | 'directUrl'>): string {
  return directUrl ?? url;
}

/** The checks on record, for another process than the one that records them: read, never written. */
export interface RecordedChecks extends ReplayQueries {
  close(): void | Promise<void>;
}

/** What providers have kept, likewise. */
export interface RecordedValues extends ProviderValueStore {
  close(): void | Promise<void>;
}

/** The database of a `readingUrl`, to be read. Rejects where there is none. */
export async function openRecords(url: string): Promise<RecordsDatabase> {
  if (isPostgresUrl(url)) {
    const { openPostgresRecords } = await import('./postgres/postgres-records.ts');
    return await openPostgresRecords(url);
  }
  const { openReadOnly } = await import('./sqlite/database.ts');
  const { SqliteRecords } = await import('./sqlite/sqlite-records.ts');
  return new SqliteRecords(openReadOnly(url));
}

/** The same, for what judges recorded checks again. */
export async function openRecordedChecks(url: string): Promise<RecordedChecks> {
  if (isPostgresUrl(url)) {
    const { openPostgresRecordedChecks } = await import('./postgres/postgres-records.ts');
    return await openPostgresRecordedChecks(url);
  }
  const { openReadOnly } = await import('./sqlite/database.ts');
  const { SqliteReplayQueries } = await import('./sqlite/replay-queries.ts');
  const database = openReadOnly(url);
  return Object.assign(new SqliteReplayQueries(database), { close: () => database.close() });
}

const FIND_VALUE = 'SELECT value FROM provider_values WHERE provider = ? AND key = ? AND ends_at > ?';

/**
 * What the providers of a service have kept, for a command that answers as it would: read, never written. Null where
 * there is none to be read: no database, none of this version, or none that this user may open. Without the query builder,
 * which would be most of what such a command loads.
 */
export async function readProviderValues(url: string): Promise<RecordedValues | null> {
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
