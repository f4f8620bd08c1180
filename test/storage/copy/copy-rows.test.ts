import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CopyDatabase } from '../../../src/storage/copy/copy-database.ts';
import {
  beginCopy,
  COPIED,
  compareRows,
  copyRows,
  countRows,
  endCopy,
  NOT_COPIED,
  type OnRows,
} from '../../../src/storage/copy/copy-rows.ts';
import { openPostgresCopy } from '../../../src/storage/copy/postgres-copy-database.ts';
import { openSqliteCopy } from '../../../src/storage/copy/sqlite-copy-database.ts';
import { openPostgresStorage } from '../../../src/storage/postgres/postgres-storage.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { describePostgres, type PostgresDatabase } from '../../support/postgres.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { fill } from '../filled.ts';
import { checkOf } from '../rows.ts';

const ignore: OnRows = () => undefined;

async function aFilledFile(): Promise<string> {
  const file = join(temporaryDirectory(), 'postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  await fill(storage);
  await storage.close();
  return file;
}

/** Without any table, the target is like a new database. */
const clear = (database: PostgresDatabase) =>
  database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

/** Both are closed at the end of the running test, or by `close`. */
async function openBoth(opening: readonly [Promise<CopyDatabase>, Promise<CopyDatabase>]) {
  const opened = new AsyncDisposableStack();
  const close = () => opened.disposeAsync();
  onTestFinished(close);
  const [source, target] = [opened.use(await opening[0]), opened.use(await opening[1])];
  return { source, target, close };
}

async function copy(opening: readonly [Promise<CopyDatabase>, Promise<CopyDatabase>]) {
  const { source, target, close } = await openBoth(opening);
  await beginCopy(source, target);
  await copyRows(source, target, ignore);
  const compared = await compareRows(source, target, ignore);
  await endCopy(target);
  await close();
  return compared;
}

/** Every row of every table, with binary data unchanged. */
function contentOf(file: string): Readonly<Record<string, unknown>> {
  using database = new DatabaseSync(file, { readOnly: true });
  const tables = new Set(COPIED.map(({ table }) => table));
  return Object.fromEntries(
    [...tables].map((table) => [
      table,
      database
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map((row) => JSON.stringify(row))
        .sort(),
    ]),
  );
}

describe('the copied tables', () => {
  it('are all tables of an SQLite database', async () => {
    using database = new DatabaseSync(await aFilledFile());
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const named = tables.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'));
    const known = [...COPIED.map(({ table }) => table), ...NOT_COPIED];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('all have rows in these tests', async () => {
    using database = new DatabaseSync(await aFilledFile());
    const empty = COPIED.filter(
      ({ table, where = '1' }) => !database.prepare(`SELECT 1 FROM ${table} WHERE ${where}`).get(),
    );
    expect(empty).toEqual([]);
  });
});

describePostgres('a copy', (database: PostgresDatabase) => {
  it('covers all tables of a PostgreSQL database', async () => {
    await clear(database);
    await (await openPostgresStorage({ url: database.url, durability: 'commit' })).close();
    const tables = await database.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND NOT relispartition",
    );
    const known = [...COPIED.map(({ table }) => table), ...NOT_COPIED];
    expect(tables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('to PostgreSQL and back has the same rows in every table, with the same checksums', async () => {
    await clear(database);
    const file = await aFilledFile();
    const there = await copy([openSqliteCopy(file, 'source'), openPostgresCopy(database.url, 'target')]);
    const backFile = join(temporaryDirectory(), 'back', 'postern.db');
    const back = await copy([openPostgresCopy(database.url, 'source'), openSqliteCopy(backFile, 'target')]);
    expect(contentOf(backFile)).toEqual(contentOf(file));
    for (const { from, to } of [...there, ...back]) expect(to).toEqual(from);
    expect(there.map(({ from }) => from)).toEqual(back.map(({ to }) => to));
    expect(there.filter(({ from }) => from.rows === 0)).toEqual([]);
  });

  it('leaves a usable database: numbers of rule versions continue after the last', async () => {
    await clear(database);
    const file = await aFilledFile();
    await copy([openSqliteCopy(file, 'source'), openPostgresCopy(database.url, 'target')]);
    const storage = await openPostgresStorage({ url: database.url, durability: 'commit' });
    onTestFinished(() => storage.close());
    const version = {
      hash: 'h',
      digest: 'd9',
      reason: 'change',
      at: '2026',
      author: null,
      restores: null,
    } as const;
    expect(await storage.ruleVersions.add(version, {})).toMatchObject({ version: 3 });
    await storage.checks.append(checkOf('chk_new'));
    expect((await storage.checks.extent()).atMost).toBeGreaterThanOrEqual(31);
  });

  it('back to SQLite leaves a database in which numbers of rule versions continue after the last', async () => {
    await clear(database);
    const file = await aFilledFile();
    await copy([openSqliteCopy(file, 'source'), openPostgresCopy(database.url, 'target')]);
    const backFile = join(temporaryDirectory(), 'postern.db');
    await copy([openPostgresCopy(database.url, 'source'), openSqliteCopy(backFile, 'target')]);
    const storage = await openSqliteStorage({ file: backFile, durability: 'commit' });
    onTestFinished(() => storage.close());
    const version = {
      hash: 'h',
      digest: 'd9',
      reason: 'change',
      at: '2026',
      author: null,
      restores: null,
    } as const;
    expect(await storage.ruleVersions.add(version, {})).toMatchObject({ version: 3 });
  });

  it('of an empty database is empty', async () => {
    await clear(database);
    const file = join(temporaryDirectory(), 'postern.db');
    await (await openSqliteStorage({ file, durability: 'commit' })).close();
    const compared = await copy([openSqliteCopy(file, 'source'), openPostgresCopy(database.url, 'target')]);
    expect(compared.every(({ from, to }) => from.rows === 0 && to.sha256 === from.sha256)).toBe(true);
  });

  it('that was interrupted continues after its last step, and copies nothing twice', async () => {
    await clear(database);
    const file = await aFilledFile();
    const open = () => openBoth([openSqliteCopy(file, 'source'), openPostgresCopy(database.url, 'target')]);
    const first = await open();
    expect(await beginCopy(first.source, first.target)).toBe(false);
    const cut = new Error('cut off');
    let copied = 0;
    const until = (rows: number) => {
      copied += rows;
      // Within `checks`, which one step copies completely.
      if (copied > 20) throw cut;
    };
    await expect(copyRows(first.source, first.target, until)).rejects.toBe(cut);
    await first.close();

    const second = await open();
    expect(await beginCopy(second.source, second.target)).toBe(true);
    let rest = 0;
    await copyRows(second.source, second.target, (rows) => {
      rest += rows;
    });
    expect(copied + rest).toBe(await countRows(second.source));
    for (const { from, to } of await compareRows(second.source, second.target, ignore))
      expect(to).toEqual(from);
  });

  it('is reported as different where the source has changed meanwhile', async () => {
    await clear(database);
    const file = await aFilledFile();
    const { source, target } = await openBoth([
      openSqliteCopy(file, 'source'),
      openPostgresCopy(database.url, 'target'),
    ]);
    await beginCopy(source, target);
    await copyRows(source, target, ignore);
    await database.query("UPDATE accounts SET name = 'other' WHERE id = 'acc_1'");
    const compared = await compareRows(source, target, ignore);
    const differing = compared.filter(({ from, to }) => from.sha256 !== to.sha256);
    expect(differing.map(({ name }) => name)).toEqual(['accounts']);
  });

  it('names the row that the target cannot store, after the rows before it', async () => {
    await clear(database);
    const file = await aFilledFile();
    {
      using writer = new DatabaseSync(file);
      writer.exec("UPDATE checks SET domain = 'a' || char(0) || 'b' WHERE id = 'chk_000004'");
    }
    const { source, target } = await openBoth([
      openSqliteCopy(file, 'source'),
      openPostgresCopy(database.url, 'target'),
    ]);
    await beginCopy(source, target);
    await expect(copyRows(source, target, ignore)).rejects.toThrow(
      /^checks: the row \["2026-11-23T18:00:00.004Z","chk_000004"\] cannot be written: /,
    );
    expect(await target.query('SELECT count(*) AS found FROM checks')).toEqual([{ found: 4 }]);
  });

  it('is refused for a database with other data, which is named', async () => {
    await clear(database);
    const storage = await openPostgresStorage({ url: database.url, durability: 'commit' });
    await storage.checks.append(checkOf('chk_other'));
    await storage.close();
    const { source, target } = await openBoth([
      openSqliteCopy(await aFilledFile(), 'source'),
      openPostgresCopy(database.url, 'target'),
    ]);
    await expect(beginCopy(source, target)).rejects.toThrow(
      'holds other data (checks, usage): a copy goes into',
    );
    expect(await target.query("SELECT * FROM service_state WHERE name = 'unfinished_copy'")).toEqual([]);
  });

  it('is refused for a database with part of another copy', async () => {
    await clear(database);
    const others = await openBoth([
      openSqliteCopy(await aFilledFile(), 'source'),
      openPostgresCopy(database.url, 'target'),
    ]);
    await beginCopy(others.source, others.target);
    await others.close();
    const { source, target } = await openBoth([
      openSqliteCopy(await aFilledFile(), 'source'),
      openPostgresCopy(database.url, 'target'),
    ]);
    await expect(beginCopy(source, target)).rejects.toThrow(`holds part of a copy of ${others.source.name}`);
  });

  it('is refused while instances run, whatever name their address gives them, and for a database of an earlier version or of another program', async () => {
    await clear(database);
    await expect(openPostgresCopy(database.url, 'source')).rejects.toThrow("is no database of Postern's");
    const url = new URL(database.url);
    url.searchParams.set('application_name', 'shop');
    const storage = await openPostgresStorage({ url: url.href, durability: 'commit' });
    await storage.accounts.list();
    for (const as of ['source', 'target'] as const)
      await expect(openPostgresCopy(database.url, as)).rejects.toThrow(
        / is in use: Postern has \d+ connections?\./,
      );
    await storage.close();
    await database.query("DELETE FROM migrations WHERE name LIKE '0019%'");
    await expect(openPostgresCopy(database.url, 'source')).rejects.toThrow(
      'is of an earlier version (it lacks 0019',
    );
  });

  it('reports which tables the user may not read', async () => {
    await clear(database);
    await (await openPostgresStorage({ url: database.url, durability: 'commit' })).close();
    const role = `reader_${process.pid}_${Date.now()}`;
    await database.query(
      `CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA public TO ${role}; GRANT SELECT ON migrations, accounts TO ${role}`,
    );
    onTestFinished(async () => void (await database.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
    const url = new URL(database.url);
    url.username = role;
    const { source } = await openBoth([
      openPostgresCopy(url.href, 'source'),
      openSqliteCopy(join(temporaryDirectory(), 'postern.db'), 'target'),
    ]);
    await expect(countRows(source)).rejects.toThrow('permission denied for table api_keys');
  });
});

describe('an SQLite source', () => {
  it('of another program is refused, and nothing is made beside it', async () => {
    const folder = temporaryDirectory();
    const file = join(folder, 'notes.db');
    {
      using other = new DatabaseSync(file);
      other.exec('CREATE TABLE notes (text)');
    }
    for (const source of [file, folder])
      await expect(openSqliteCopy(source, 'source')).rejects.toThrow("is no database of Postern's");
    expect(readdirSync(folder)).toEqual(['notes.db']);
    expect(existsSync(`${folder}.lock`)).toBe(false);
  });

  it('must exist, with this version, unused, and is not changed', async () => {
    const file = await aFilledFile();
    const missing = join(temporaryDirectory(), 'none', 'postern.db');
    await expect(openSqliteCopy(missing, 'source')).rejects.toThrow('is not there');
    expect(existsSync(missing)).toBe(false);
    {
      await using _used = await openSqliteCopy(file, 'source');
      await expect(openSqliteCopy(file, 'source')).rejects.toThrow('another postern serves this database');
      await expect(_used.query("UPDATE accounts SET name = ''")).rejects.toThrow('readonly');
    }
    {
      using writer = new DatabaseSync(file);
      writer.exec("DELETE FROM migrations WHERE name = '0018-service-state'");
    }
    await expect(openSqliteCopy(file, 'source')).rejects.toThrow(
      'is of an earlier version (it lacks 0018-service-state): run "postern migrate" first',
    );
  });
});
