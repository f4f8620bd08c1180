import { existsSync } from 'node:fs';
import type { SQLInputValue } from 'node:sqlite';
import { messageOf } from '../../lib/thrown.ts';
import { lockDatabase } from '../file-lock.ts';
import {
  BUSY_TIMEOUT_MS,
  isRowFault,
  openDatabase,
  openUntouched,
  prepareDatabaseFile,
} from '../sqlite/database.ts';
import { MIGRATIONS, migrate } from '../sqlite/migrate.ts';
import {
  type CopyDatabase,
  CopyRefused,
  copyDatabase,
  quoted,
  type Row,
  RowFault,
  requireThisVersion,
} from './copy-database.ts';

/**
 * Opens a database that no service uses, and locks it against services. The source must be there and of this version, and is only read; the
 * target is made where there is none. Throws a StartupError or CopyRefused.
 */
export async function openSqliteCopy(file: string, as: 'source' | 'target'): Promise<CopyDatabase> {
  if (as === 'source') await requireSource(file);
  await using opened = new AsyncDisposableStack();
  opened.use(lockDatabase(file));
  if (as === 'target') {
    prepareDatabaseFile(file);
    await migrate(file);
  }
  const database = as === 'source' ? openUntouched(file) : openDatabase(file, BUSY_TIMEOUT_MS);
  opened.defer(() => database.close());
  const query: CopyDatabase['query'] = async (sql, values = []) =>
    database.prepare(sql).all(...(values as SQLInputValue[])) as Row[];
  // Foreign keys off: a row may come before the row that it refers to. In the end all rows are there.
  if (as === 'target') database.exec('PRAGMA foreign_keys=OFF');
  const disposables = opened.move();
  return copyDatabase({
    kind: 'sqlite',
    name: `sqlite:${file}`,
    query,
    columns: 'SELECT name FROM pragma_table_info(?)',
    async insert(table, columns, rows) {
      const insert = database.prepare(
        `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
        database.exec('COMMIT');
      } catch (error) {
        // A full disk may have rolled back already.
        if (database.isTransaction) database.exec('ROLLBACK');
        throw isRowFault(error) ? new RowFault(messageOf(error)) : error;
      }
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  });
}

/** Comes before the lock, which makes a file beside what may be another program's. */
async function requireSource(file: string): Promise<void> {
  if (!existsSync(file)) throw new CopyRefused(`${file} is not there`);
  const query = async (sql: string) => {
    using database = openUntouched(file);
    return database.prepare(sql).all() as Row[];
  };
  await requireThisVersion({ name: file, query }, Object.keys(MIGRATIONS));
}
