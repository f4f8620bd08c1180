import type { Config } from '../app/config/config.ts';
import { isPostgresUrl } from '../lib/service-url.ts';
import { DirectoryListStore } from './directory-list-store.ts';
import type { ListStore } from './list-store.ts';

export interface OpenListStore extends AsyncDisposable {
  readonly store: ListStore;
}

/** Where `storage` keeps downloaded lists: in the data directory beside SQLite, else in its tables. Connects when it is first asked. */
export async function openListStore({
  dataDir,
  storage,
}: Pick<Config, 'dataDir'> & { readonly storage: Pick<Config['storage'], 'url'> }): Promise<OpenListStore> {
  if (!isPostgresUrl(storage.url)) {
    return { store: new DirectoryListStore(dataDir), [Symbol.asyncDispose]: async () => undefined };
  }
  const { openPostgresListStore } = await import('../storage/postgres/open-list-store.ts');
  return openPostgresListStore(storage.url);
}
