import type { ListStore } from '../../lists/list-store.ts';
import { listStore } from '../shared/list-store.ts';
import { databaseOf } from '../shared/schema.ts';
import { Connections } from './connections.ts';
import { holdTable } from './hold-table.ts';

/** One that changes lists, and one that looks for news meanwhile. */
const MAX_CONNECTIONS = 2;

/** Downloaded lists by connections of their own: commands and child processes need no other part of the storage. */
export function openPostgresListStore(url: string): AsyncDisposable & { readonly store: ListStore } {
  const connections = new Connections({ name: 'postern lists', max: MAX_CONNECTIONS }, { url });
  return {
    store: listStore(databaseOf(connections.dialect()), holdTable),
    [Symbol.asyncDispose]: () => connections.end(),
  };
}
