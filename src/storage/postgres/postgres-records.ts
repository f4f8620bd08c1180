import type { ListStore } from '../../lists/list-store.ts';
import { listStore } from '../shared/list-store.ts';
import type { RecordsDatabase } from '../shared/records-database.ts';
import { databaseOf } from '../shared/schema.ts';
import { Connections, isBehindPooler, numbered } from './connections.ts';
import { holdTable } from './locks.ts';

/** A process that reads asks one thing after the other, and what it keeps beside asks one. */
const MAX_CONNECTIONS = 2;
/**
 * The longest a question may take. The server notices that a client process was killed only when it has an answer to send: it may go
 * on with the statement for this time.
 */
export const READING_TIMEOUT_MS = 60_000;

/**
 * Opens read-only connections, called `name`: the server refuses writes, by an option that is added to those of the address. A pooler
 * takes neither options nor a time-out: there nothing but the queries themselves keeps them from writing.
 */
export async function openPostgresRecords(url: string, name: string): Promise<RecordsDatabase> {
  const isPooler = await isBehindPooler({ url });
  const address = new URL(url);
  const options = address.searchParams.get('options') ?? '';
  if (!isPooler) address.searchParams.set('options', `${options} -c default_transaction_read_only=on`.trim());
  const reading = { url: address.href, statementTimeoutMs: READING_TIMEOUT_MS };
  return postgresRecords(new Connections({ name, max: MAX_CONNECTIONS, isPooler }, reading));
}

/** Queries over `connections`, which must themselves refuse writes. */
export function postgresRecords(connections: Connections): RecordsDatabase {
  return {
    dialect: 'postgres',
    all: async (sql, ...parameters) => (await connections.query(numbered(sql), parameters)).rows,
    close: () => connections.end(),
  };
}

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
