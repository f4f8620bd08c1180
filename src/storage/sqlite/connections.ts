import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import { unavailable } from '../commit-queue.ts';
import { isRowFault } from './sqlite-fault.ts';
import type { TypedQueries } from './typed-queries.ts';
import type { Arguments, Method, Result } from './writer-calls.ts';
import type { WriterThread } from './writer-thread.ts';
import type { PlainStatement, WrittenRows } from './writing-connection.ts';

/** What Kysely compiles, or plain SQL. */
export interface Statement extends Pick<CompiledQuery, 'sql' | 'parameters'> {
  /** Among several that hold together: it may find no row to change. */
  readonly mayChangeNothing?: true;
}

/**
 * Reads on the main thread, which in WAL mode never wait for a writer; writes through the worker,
 * which may. A read begins a snapshot of its own, so it sees what any process has committed before.
 */
export class Connections {
  readonly reader: DatabaseSync;
  readonly writer: WriterThread;
  #typed: Promise<TypedQueries> | undefined;

  constructor(reader: DatabaseSync, writer: WriterThread) {
    this.reader = reader;
    this.writer = writer;
  }

  /** For queries that are not hot: Kysely is a quarter of all modules, and a service that has its keys may never need it. */
  typed(): Promise<TypedQueries> {
    this.#typed ??= import('./typed-queries.ts').then(({ typedQueries }) => typedQueries(this.reader));
    return this.#typed;
  }

  /** Asks the writing thread; rejects with `unavailable`, or with SQLite's own error where a row is itself at fault. */
  async call<M extends Method>(method: M, ...args: Arguments<M>): Promise<Result<M>> {
    try {
      return await this.writer.call(method, ...args);
    } catch (error) {
      throw isRowFault(error) ? error : unavailable(error);
    }
  }

  /** Commits a statement; returns how many rows it changed. */
  async write(statement: Statement): Promise<number> {
    const [sql, parameters] = plain(statement);
    return this.call('run', sql, parameters);
  }

  /** Commits a statement; returns the rows that it answers and how many it changed. */
  async writeReturning(statement: Statement): Promise<WrittenRows> {
    const [sql, parameters] = plain(statement);
    return this.call('runReturning', sql, parameters);
  }

  /** Commits all of them, or none when one changes no row that must; returns which. */
  async writeAll(statements: readonly Statement[]): Promise<boolean> {
    return this.call('runAll', statements.map(plain));
  }
}

function plain({ sql, parameters, mayChangeNothing }: Statement): PlainStatement {
  // Kysely's typed queries hold only what the tables take.
  return [sql, parameters as readonly SQLInputValue[], mayChangeNothing === true];
}
