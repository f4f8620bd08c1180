import { ExplainedError } from '../../errors.ts';
import { messageOf } from '../../lib/thrown.ts';
import type { compareSteps } from '../shared/migration-steps.ts';

export type Value = string | number | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

/** A database of either kind, as far as a copy needs it: one connection, asked one thing after the other. */
export interface CopyDatabase extends AsyncDisposable {
  readonly kind: 'sqlite' | 'postgres';
  /** For people, and for the note of which database a copy is of: never with a password. */
  readonly name: string;
  /** SQL that both dialects understand, with `?` for values. */
  query(sql: string, values?: readonly Value[]): Promise<readonly Row[]>;
  /** All of `work` or nothing. */
  transact<Result>(work: () => Promise<Result>): Promise<Result>;
  columnsOf(table: string): Promise<readonly string[]>;
  /** Rejects with RowFault where a row is itself at fault. For `work` of `transact`. */
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>;
  /** Numbers that the database gives out begin behind those that were copied. */
  continueNumbers(): Promise<void>;
}

/** The database refuses a row, or one of several. The message says why. */
export class RowFault extends Error {
  override readonly name = 'RowFault';
}

/** The copy cannot be begun, or go on. */
export class CopyRefused extends ExplainedError {
  override readonly name = 'CopyRefused';
}

/** The same database, whose errors are for the operator: what it says, and which of the two says it. */
export function tellingFaults(database: CopyDatabase): CopyDatabase {
  const told = async <Result>(work: Promise<Result>): Promise<Result> =>
    await work.catch((error: unknown) => {
      if (error instanceof RowFault || error instanceof CopyRefused) throw error;
      throw new CopyRefused(`${database.name}: ${causeOf(error)}`);
    });
  return {
    kind: database.kind,
    name: database.name,
    query: (sql, values) => told(database.query(sql, values)),
    transact: (work) => told(database.transact(work)),
    columnsOf: (table) => told(database.columnsOf(table)),
    insert: (table, columns, rows) => told(database.insert(table, columns, rows)),
    continueNumbers: () => told(database.continueNumbers()),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** Throws CopyRefused where a source is not of this version. */
export function requireThisVersion(name: string, { pending, newer }: ReturnType<typeof compareSteps>): void {
  if (newer.length > 0) throw new CopyRefused(`${name} was written by a newer Postern: use that one`);
  if (pending.length === 0) return;
  throw new CopyRefused(
    `${name} is of an earlier version (it lacks ${pending.join(', ')}): run "postern migrate" first`,
  );
}

/** What the server said: a pool's own error says no more than that it is away. */
export function causeOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

export function quoted(name: string): string {
  return `"${name}"`;
}
