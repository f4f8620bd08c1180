import { ExplainedError, reasonOf } from '../../errors.ts';
import { compareSteps } from '../shared/migration-steps.ts';

export type Value = string | number | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

/** A database of either kind, as far as a copy needs it: one connection, which runs one query after the other. */
export interface CopyDatabase extends AsyncDisposable {
  readonly kind: 'sqlite' | 'postgres';
  /** Shown to people, and stored in the target as the source of the copy: never with a password. */
  readonly name: string;
  /** SQL that both dialects understand, with `?` for values. */
  query(sql: string, values?: readonly Value[]): Promise<readonly Row[]>;
  /** Sorted, so that the order is the same in both databases. */
  columnsOf(table: string): Promise<readonly string[]>;
  /** All rows or none. Rejects with RowFault where a row is itself at fault. */
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>;
}

/** The parts that differ between the kinds of databases; its errors are those of the driver. */
interface CopyDriver extends Omit<CopyDatabase, 'columnsOf'> {
  /** SQL that returns the `name` of each column of a table; its one parameter is the table. */
  readonly columns: string;
}

/** The database refuses a row, or one of several. The message says why. */
export class RowFault extends Error {
  override readonly name = 'RowFault';
}

/** The copy cannot be begun, or go on. */
export class CopyRefused extends ExplainedError {
  override readonly name = 'CopyRefused';
}

/** Makes a database whose errors are for the operator: they name the database and the cause. A RowFault passes unchanged. */
export function copyDatabase({ columns, ...driver }: CopyDriver): CopyDatabase {
  const told = async <Result>(work: Promise<Result>): Promise<Result> =>
    await work.catch((error: unknown) => {
      if (error instanceof RowFault) throw error;
      throw new CopyRefused(`${driver.name}: ${reasonOf(error)}`);
    });
  const query: CopyDatabase['query'] = (sql, values) => told(driver.query(sql, values));
  return {
    ...driver,
    query,
    insert: (table, names, rows) => told(driver.insert(table, names, rows)),
    columnsOf: async (table) => (await query(columns, [table])).map(({ name }) => String(name)).sort(),
  };
}

/** Throws CopyRefused where a source is not of this version, whose steps are `known`. */
export async function requireThisVersion(
  { name, query }: Pick<CopyDatabase, 'name' | 'query'>,
  known: readonly string[],
): Promise<void> {
  const applied = await query('SELECT name FROM migrations').catch((error) => {
    throw new CopyRefused(`${name} is no database of Postern's, or may not be read: ${reasonOf(error)}`);
  });
  const { pending, newer } = compareSteps(applied, known);
  if (newer.length > 0) throw new CopyRefused(`${name} was written by a newer Postern: use that one`);
  if (pending.length === 0) return;
  throw new CopyRefused(
    `${name} is of an earlier version (it lacks ${pending.join(', ')}): run "postern migrate" first`,
  );
}

export function quoted(name: string): string {
  return `"${name}"`;
}
