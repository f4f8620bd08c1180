import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { MessagePort } from 'node:worker_threads';
import { messageOf } from '../../lib/thrown.ts';
import type { Refusal } from '../commit-queue.ts';
import type { CheckRow } from '../ports.ts';
import { CHECK_COLUMNS } from '../shared/records-database.ts';
import { isRowFault, openDatabase, placeOf } from './database.ts';

export interface WritingOptions {
  readonly file: string;
  /** How long another process may hold the database before a write fails. */
  readonly busyTimeoutMs: number;
  /** The most pages that the database may grow to; for tests of a full disk. */
  readonly maxPages?: number | undefined;
}

/** The rows that a statement returned (`RETURNING`), and how many rows it changed. */
export interface Written {
  readonly rows: readonly Record<string, SQLOutputValue>[];
  readonly changes: number;
}

/** How long `emptyLog` waits for a reader in another process before it gives up; appends wait meanwhile. */
const READERS_MS = 100;

/** The one connection that writes. Every method may block: it lives in a worker thread. */
export class WritingConnection {
  readonly #database: DatabaseSync;
  readonly #requirePlace: () => void;
  readonly #busyTimeoutMs: number;
  readonly #insertCheck: StatementSync;
  readonly #countChecks: StatementSync;

  constructor({ file, busyTimeoutMs, maxPages }: WritingOptions) {
    this.#database = openDatabase(file, busyTimeoutMs);
    this.#requirePlace = placeOf(file);
    this.#busyTimeoutMs = busyTimeoutMs;
    if (maxPages !== undefined) this.#database.exec(`PRAGMA max_page_count=${maxPages}`);
    this.#insertCheck = this.#database.prepare(
      `INSERT INTO checks (${CHECK_COLUMNS.join(', ')}) VALUES (${CHECK_COLUMNS.map(() => '?').join(', ')})`,
    );
    this.#countChecks = this.#database.prepare(
      'INSERT INTO usage (account_id, month, checks) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET checks = checks + excluded.checks',
    );
  }

  /** One statement: committed alone, or part of the transaction that is open. */
  run(sql: string, parameters: readonly SQLInputValue[]): Written {
    this.#requirePlace();
    const statement = this.#database.prepare(sql);
    if (statement.columns().length === 0) {
      return { rows: [], changes: Number(statement.run(...parameters).changes) };
    }
    const rows = statement.all(...parameters);
    return { rows, changes: rows.length };
  }

  /**
   * Commits the rows and the monthly usage of their accounts in one transaction, fsync included. A row that is itself at
   * fault is left out and returned: SQLite undoes that one statement. Throws when nothing was committed.
   */
  commitChecks(rows: readonly CheckRow[]): readonly Refusal[] {
    this.#requirePlace();
    const refusals: Refusal[] = [];
    const usage = new Map<string, number>();
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const [index, row] of rows.entries()) {
        try {
          this.#insertCheck.run(...CHECK_COLUMNS.map((column) => row[column]));
        } catch (error) {
          if (!isRowFault(error)) throw error;
          refusals.push({ index, reason: messageOf(error) });
          continue;
        }
        if (row.environment !== 'live') continue;
        const use = `${row.created_at.slice(0, 7)} ${row.account_id}`;
        usage.set(use, (usage.get(use) ?? 0) + 1);
      }
      for (const [use, checks] of usage) this.#countChecks.run(use.slice(8), use.slice(0, 7), checks);
      this.#database.exec('COMMIT');
    } catch (error) {
      // A full disk may have rolled back already (sqlite.org/lang_transaction.html, 2.2).
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    return refusals;
  }

  /**
   * Moves the log into the database and empties it, so that no deleted data is left in the log. False when a
   * reader in another process still needs the log.
   */
  emptyLog(): boolean {
    this.#database.exec(`PRAGMA busy_timeout=${READERS_MS}`);
    try {
      return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    } finally {
      this.#database.exec(`PRAGMA busy_timeout=${this.#busyTimeoutMs}`);
    }
  }

  close(): void {
    this.emptyLog();
    this.#database.close();
  }
}

export type Method = keyof WritingConnection;

export interface Call<M extends Method = Method> {
  readonly method: M;
  readonly args: Parameters<WritingConnection[M]>;
}

export type Reply =
  | { readonly value: unknown }
  /** The parts of an error that can be sent between threads; `errcode` is SQLite's extended result code. */
  | { readonly message: string; readonly errcode: unknown };

/** Says that the connection is ready, then answers calls one by one in the order they came. */
export function serveCalls(port: MessagePort, connection: WritingConnection): void {
  port.on('message', (call: Call) => {
    port.postMessage(answer(connection, call));
    // With its port closed the worker has nothing to wait for and ends.
    if (call.method === 'close') port.close();
  });
  port.postMessage('ready');
}

function answer(connection: WritingConnection, { method, args }: Call): Reply {
  try {
    // The union of methods and the union of arguments are known to match; TypeScript cannot pair them.
    const invoke = connection[method] as (...args: readonly unknown[]) => unknown;
    return { value: invoke.apply(connection, [...args]) };
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
    return { message: messageOf(error), errcode };
  }
}
