import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/storage/sqlite/migrate.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** See fixtures/README.md for how it was made. */
const FIXTURE = new URL('./fixtures/of-15640f0.db', import.meta.url);
/** Every table, and what the program that wrote the database read from it. */
const { tables, read } = JSON.parse(
  readFileSync(new URL('./fixtures/of-15640f0.json', import.meta.url), 'utf8'),
);

function aCopy(): string {
  const file = join(temporaryDirectory(), 'postern.db');
  copyFileSync(FIXTURE, file);
  return file;
}

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return database;
}

async function open(file: string) {
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  onTestFinished(() => storage.close());
  return storage;
}

async function all<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

/** In the form of JSON; binary data as hexadecimal digits. */
function plain(rows: readonly object[]): unknown {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
      ]),
    ),
  );
}

describe('a database of the version before plain check tables', () => {
  it('has every row of every table afterwards, with complete checks', async () => {
    const file = aCopy();
    await open(file);
    const database = connect(file);
    expect(Object.keys(tables)).toHaveLength(18);
    for (const [table, rows] of Object.entries<Record<string, unknown>[]>(tables)) {
      // The state of a counted hour is now given by the number of its checks alone.
      const wanted = table === 'check_hours' ? rows.map(({ places, ...row }) => row) : rows;
      const found = plain(database.prepare(`SELECT * FROM ${table}`).all()) as object[];
      expect(found, table).toHaveLength(wanted.length);
      expect(found, table).toEqual(expect.arrayContaining(wanted));
    }
  });

  it('is read as by the previous version: accounts, keys, people, labels, versions, drafts, checks', async () => {
    const storage = await open(aCopy());
    const { people, links, trail } = storage.peopleStorage;
    const found = {
      accounts: await storage.accounts.list(),
      keys: await storage.keys.list(),
      people: await people.list(),
      openLinks: await links.listOpen('2026-11-20T10:00:00.000Z'),
      trail: await trail.list({ limit: 100 }),
      summary: await storage.labels.summarize(),
      versions: await storage.ruleVersions.list(),
      filesOf1: await storage.ruleVersions.filesOf(1),
      complaint: await storage.ruleVersions.complaint(),
      drafts: await storage.ruleDrafts.list(),
      usage: {
        shop: await storage.usage.read('acc_shop', '2026-11'),
        blog: await storage.usage.read('acc_blog', '2026-11'),
      },
      value: await storage.providerValues.find('rdap', 'example.org', Date.parse('2026-11-20T10:00:00.000Z')),
      checks: (await all(storage.checks.pages({}))).map(({ id, label, risk_score }) => ({
        id,
        label,
        risk_score,
      })),
      tried: (await all(storage.checks.triedPages({}))).map(({ id, challenger, shadow_rules, ledger }) => ({
        id,
        challenger,
        shadow_rules,
        ledger,
      })),
    };
    const { labels, ...wanted } = read;
    expect(found).toEqual(wanted);
    const listed = await storage.labels.list(undefined, 100);
    expect(listed).toHaveLength(labels.length);
    expect(listed).toEqual(expect.arrayContaining(labels));
  });

  it('deletes the labels and counted hours of a check with it, and accepts new ones', async () => {
    const file = aCopy();
    const storage = await open(file);
    const database = connect(file);
    await storage.checks.deleteBefore('2027-01-01T00:00:00.000Z');
    expect(database.prepare('SELECT * FROM labels WHERE check_id IS NOT NULL').all()).toEqual([]);
    expect(database.prepare('SELECT * FROM check_hours').all()).toEqual([]);
    const subject = { addressHmac: 'aa' };
    const told = {
      label: 'bad',
      source: 'team',
      author: null,
      labelledAt: '2026-11-20T10:00:00.000Z',
    } as const;
    await expect(storage.labels.put('acc_none', [{ subject, ...told }], told.labelledAt)).rejects.toThrow(
      'FOREIGN KEY',
    );
    expect(await storage.labels.put('acc_shop', [{ subject, ...told }], told.labelledAt)).toMatchObject({
      added: 1,
    });
  });

  it('has the schema of a new one', async () => {
    const [carried, made] = [aCopy(), join(temporaryDirectory(), 'postern.db')];
    const schemas: unknown[] = [];
    for (const file of [carried, made]) {
      await open(file);
      schemas.push(
        connect(file)
          .prepare(
            "SELECT name FROM sqlite_schema WHERE name NOT IN ('migrations', 'migrations_lock') AND name NOT LIKE 'sqlite_%' ORDER BY name",
          )
          .all(),
        connect(file).prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(\'checks\')').all(),
      );
    }
    expect(schemas.slice(0, 2)).toEqual(schemas.slice(2));
  });

  it('reports that its checks are copied, and drops the previous tables', async () => {
    const file = aCopy();
    const logged: Record<string, unknown>[] = [];
    await migrate(file, undefined, pino({}, { write: (line) => logged.push(JSON.parse(line)) }));
    expect(logged).toMatchObject([{ checks: tables.checks.length }]);
    const names = connect(file).prepare('SELECT name FROM sqlite_schema').all();
    expect(names.filter(({ name }) => /check_(rows|texts|blocks)|plain_/.test(String(name)))).toEqual([]);
  });

  it('is unchanged where the process is killed halfway, and is migrated by the next start', async () => {
    const file = aCopy();
    const script = fileURLToPath(new URL('./killed-migration.process.ts', import.meta.url));
    expect(spawnSync(process.execPath, [script, file]).signal).toBe('SIGKILL');
    const killed = new DatabaseSync(file);
    expect(killed.prepare('SELECT count(*) AS rows FROM check_rows').get()).toEqual({
      rows: tables.checks.length,
    });
    killed.close();
    const storage = await open(file);
    expect(await storage.checks.count({})).toBe(read.checks.length);
  });

  it('is not migrated where it has lost a text that checks refer to', async () => {
    const file = aCopy();
    connect(file).exec('DELETE FROM check_texts');
    await expect(openSqliteStorage({ file, durability: 'commit' })).rejects.toThrow(
      /check_texts has no "\w{16}", which the check chk_/,
    );
  });

  it('keeps an operator’s own views of the checks', async () => {
    const file = aCopy();
    connect(file).exec("CREATE VIEW blocked AS SELECT id, facts FROM checks WHERE action = 'BLOCK'");
    await open(file);
    expect(connect(file).prepare('SELECT * FROM blocked').all().length).toBeGreaterThan(10);
  });
});
