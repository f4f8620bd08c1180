import { StartupError } from '../errors.ts';
import { isPostgresUrl } from '../lib/service-url.ts';
import type { Storage } from './ports.ts';
import { openSqliteStorage, type SqliteStorageOptions } from './sqlite/sqlite-storage.ts';

interface StorageSettings {
  /** A path, or the address of a PostgreSQL. */
  readonly url: string;
  readonly directUrl: string | null;
  readonly poolSize: number;
}

/** Opens the database that `storage` names. Throws a StartupError when it cannot be opened as one of this version. */
export async function openStorage(
  { url }: StorageSettings,
  options: Omit<SqliteStorageOptions, 'file'>,
): Promise<Storage> {
  if (!isPostgresUrl(url)) return await openSqliteStorage({ ...options, file: url });
  throw new StartupError(['storage.url: PostgreSQL is not there yet']);
}
