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

/** Statements that are kept compiled; the queries of the stores are fewer. */
const MOST_STATEMENTS = 200;

/**
 * Kysely over two connections: what is selected is read on the main thread, which in WAL mode never waits for a writer; all
 * else, and all of a transaction, goes to the thread that writes. Rejects with AppError `unavailable` where the database cannot
 * be read or written, and with SQLite's own error where a row is itself at fault.
 */
export function sqliteDialect(reader: DatabaseSync, writer: Writer): Dialect {
  const statements: Statements = new LRUCache({
    max: MOST_STATEMENTS,
    memoMethod: (sql) => reader.prepare(sql),
  });
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => new SplitConnection(statements, writer),
    releaseConnection: async () => {},
    beginTransaction: (connection) => split(connection).begin(),
    commitTransaction: (connection) => split(connection).commit(),
    rollbackTransaction: (connection) => split(connection).rollback(),
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

/** Kysely hands back what `acquireConnection` gave. */
function split(connection: DatabaseConnection): SplitConnection {
  return connection as SplitConnection;
}

/** Statements of the reading connection, by their SQL. */
type Statements = LRUCache<string, StatementSync>;

class SplitConnection implements DatabaseConnection {
  readonly #statements: Statements;
  readonly #writer: Writer;
  #transaction: WriteTransaction | undefined;

  constructor(statements: Statements, writer: Writer) {
    this.#statements = statements;
    this.#writer = writer;
  }

  async begin(): Promise<void> {
    this.#transaction = await this.#writer.begin();
  }

  async commit(): Promise<void> {
    await this.#transaction?.commit();
  }

  async rollback(): Promise<void> {
    await this.#transaction?.rollback();
  }

  async executeQuery<Row>({ query, sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    // Kysely's typed queries hold only what the tables take.
    const values = parameters as readonly SQLInputValue[];
    if (this.#transaction === undefined && SelectQueryNode.is(query)) {
      return { rows: this.#read(sql, values) as Row[] };
    }
    const { rows, changes } = await (this.#transaction ?? this.#writer).run(sql, values);
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: there is nothing to stream
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('nothing is streamed over this connection');
  }

  #read(sql: string, values: readonly SQLInputValue[]): unknown[] {
    try {
      return this.#statements.memo(sql).all(...values);
    } catch (error) {
      throw unavailable(error);
    }
  }
}
