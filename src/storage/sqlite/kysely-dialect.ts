import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { unavailable } from '../commit-queue.ts';
import type { Writer, WriteTransaction } from './writer.ts';

/** How many statements are kept compiled: more than the queries of the stores. */
const MOST_STATEMENTS = 200;

/**
 * Kysely over two connections. A SELECT outside a transaction runs on the main thread, which in WAL mode never waits for a writer;
 * all other statements run on the writing thread. Rejects with AppError `unavailable` where the database cannot be read or
 * written, and with SQLite's own error where a row is itself at fault.
 */
export function sqliteDialect(reader: DatabaseSync, writer: Writer): Dialect {
  const statements = new LRUCache<string, StatementSync>({
    max: MOST_STATEMENTS,
    memoMethod: (sql) => reader.prepare(sql),
  });
  const connection: SplitConnection = {
    async executeQuery<Row>({ query, sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      // Kysely's typed queries hold only what the tables take.
      const values = parameters as readonly SQLInputValue[];
      if (this.transaction === undefined && SelectQueryNode.is(query)) {
        try {
          return { rows: statements.memo(sql).all(...values) as Row[] };
        } catch (error) {
          throw unavailable(error);
        }
      }
      const { rows, changes } = await (this.transaction ?? writer).run(sql, values);
      return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
    },
    streamQuery() {
      throw new Error('nothing is streamed over this connection');
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => ({ ...connection }),
    releaseConnection: async () => {},
    async beginTransaction(connection: SplitConnection) {
      connection.transaction = await writer.begin();
    },
    commitTransaction: async ({ transaction }: SplitConnection) => transaction?.commit(),
    rollbackTransaction: async ({ transaction }: SplitConnection) => transaction?.rollback(),
    // The storage closes both connections.
    destroy: async () => {},
  };
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

interface SplitConnection extends DatabaseConnection {
  /** Never reset: Kysely acquires a connection for each transaction, and each is a new one. */
  transaction?: WriteTransaction;
}
