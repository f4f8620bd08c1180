import { existsSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { messageOf } from '../../lib/thrown.ts';
import { lockDatabase } from '../file-lock.ts';
import {
  BUSY_TIMEOUT_MS,
  isRowFault,
  openDatabase,
  openUntouched,
  prepareDatabaseFile,
  rollBack,
} from '../sqlite/database.ts';
import { compareSchema, migrate } from '../sqlite/migrate.ts';
import {
  type CopyDatabase,
  CopyRefused,
  quoted,
  type Row,
  RowFault,
  requireThisVersion,
  tellingFaults,
} from './copy-database.ts';

/**
 * Opens a database that no service uses, and keeps one from using it. The source must be there and of this version, and is read alone; the
 * target is made where there is none. Throws a StartupError or CopyRefused.
 */
export async function openSqliteCopy(file: string, as: 'source' | 'target'): Promise<CopyDatabase> {
  if (as === 'source' && !existsSync(file)) throw new CopyRefused(`${file} is not there`);
  await using opened = new AsyncDisposableStack();
  opened.use(lockDatabase(file));
  if (as === 'target') {
    prepareDatabaseFile(file);
    await migrate(file);
  }
  const database = as === 'source' ? openUntouched(file) : openDatabase(file, BUSY_TIMEOUT_MS);
  opened.defer(() => database.close());
  if (as === 'source') requireSchema(file, database);
  const disposables = opened.move();
  return tellingFaults({
    kind: 'sqlite',
    name: `sqlite:${file}`,
    query: async (sql, values = []) => database.prepare(sql).all(...(values as SQLInputValue[])) as Row[],
    async transact(work) {
      database.exec('BEGIN IMMEDIATE');
      try {
        const result = await work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        rollBack(database);
        throw error;
      }
    },
    columnsOf: async (table) =>
      database
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name)),
    async insert(table, columns, rows) {
      const insert = database.prepare(
        `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      for (const row of rows) {
        try {
          insert.run(...columns.map((column) => row[column] ?? null));
        } catch (error) {
          throw isRowFault(error) ? new RowFault(messageOf(error)) : error;
        }
      }
    },
    // AUTOINCREMENT heeds what is inserted.
    continueNumbers: async () => undefined,
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  });
}

function requireSchema(file: string, database: DatabaseSync): void {
  let compared: ReturnType<typeof compareSchema>;
  try {
    compared = compareSchema(database);
  } catch (error) {
    throw new CopyRefused(`${file} is no database of Postern's, or damaged: ${messageOf(error)}`);
  }
  requireThisVersion(file, compared);
}
