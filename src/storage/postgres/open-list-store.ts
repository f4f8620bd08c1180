import type { ListStore } from '../../lists/list-store.ts';
import { listStore } from '../shared/list-store.ts';
import { databaseOf } from '../shared/schema.ts';
import { Connections } from './connections.ts';
import { holdTable } from './hold-table.ts';

/** One connection changes lists, and one looks for news meanwhile. Without parameters that a pooler refuses. */
const POOL = { name: 'postern lists', max: 2, isPooler: true };

/** Downloaded lists by connections of their own: commands and child processes need no other part of the storage. */
export function openPostgresListStore(url: string): AsyncDisposable & { readonly store: ListStore } {
  const connections = new Connections(POOL, { url });
  return {
    store: listStore(databaseOf(connections.dialect()), holdTable),
    [Symbol.asyncDispose]: () => connections.end(),
  };
}
