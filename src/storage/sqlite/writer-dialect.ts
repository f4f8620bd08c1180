import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { SelectQueryNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Connections } from './connections.ts';

/** Kysely over our two connections: reads on the main thread, writes in the worker, each committed alone. */
export function writerDialect(connections: Connections): Dialect {
  const connection = new SplitConnection(connections);
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    // Both connections are the storage's.
    destroy: async () => {},
  };
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class SplitConnection implements DatabaseConnection {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async executeQuery<Row>({ query, sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (SelectQueryNode.is(query)) {
      const rows = this.#connections.reader.prepare(sql).all(...(parameters as readonly string[]));
      return { rows: rows as Row[] };
    }
    const { rows, changes } = await this.#connections.writeReturning({ sql, parameters });
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: there is nothing to stream
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('nothing is streamed over this connection');
  }
}

async function refuse(): Promise<never> {
  throw new Error('statements that hold together go to Connections.writeAll');
}
