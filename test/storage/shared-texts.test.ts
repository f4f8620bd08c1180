import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseRecord } from '../../src/checks/check-record.ts';
import { STAGE_ROWS } from '../../src/storage/commit-queue.ts';
import { readFacts } from '../../src/storage/kept-facts.ts';
import type { CheckRow, NewCheck, RecordedCheck } from '../../src/storage/ports.ts';
import { prepareDatabaseFile } from '../../src/storage/sqlite/database-file.ts';
import { MIGRATIONS, migrate } from '../../src/storage/sqlite/migrate.ts';
import { CHECK_COLUMNS } from '../../src/storage/sqlite/schema.ts';
import { type SharedText, textsOf } from '../../src/storage/sqlite/shared-texts.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { WriterThread } from '../../src/storage/sqlite/writer-thread.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { accountOf, checkOf, rowOf } from './rows.ts';

let file: string;
beforeEach(() => {
  file = join(temporaryDirectory(), 'postern.db');
});

const open = async () => {
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  onTestFinished(() => storage.close());
  return storage;
};
const connect = () => {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return database;
};
const rowsOf = (sql: string) =>
  connect()
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
const recorded = async () => {
  const storage = await open();
  const found: RecordedCheck[] = [];
  for await (const page of storage.checks.pages({})) found.push(...page);
  return found;
};

const sources = { disposable: 'disposable-domains@2.0.1', tld: 'tld-figures@2025-10-31' };
const aCheck = (id: string, hasMx: boolean | null, more: Partial<NewCheck> = {}) =>
  checkOf(id, { facts: { 'domain.has_mx': hasMx, 'mx.outcome': 'mx' }, sources, ...more });

describe('what is the same from check to check', () => {
  it('is stored once, and named by each row', async () => {
    const storage = await open();
    for (const id of ['chk_1', 'chk_2', 'chk_3']) await storage.checks.append(aCheck(id, true));
    const texts = rowsOf('SELECT id, text FROM check_texts ORDER BY text');
    expect(texts.map(({ text }) => text)).toEqual([
      '["domain.has_mx","mx.outcome"]',
      '["mx"]',
      JSON.stringify(sources),
    ]);
    const [facts, timings, versions] = texts.map(({ id }) => id);
    expect(rowsOf('SELECT DISTINCT facts, timings, sources FROM check_rows')).toEqual([
      { facts: `["${facts}",true,"mx"]`, timings: `["${timings}",300000]`, sources: `"${versions}"` },
    ]);
  });

  it('is stored by each process that records, once for all', async () => {
    for (const id of ['chk_1', 'chk_2']) await (await open()).checks.append(aCheck(id, null));
    expect(rowsOf('SELECT count(*) AS n FROM check_texts')).toEqual([{ n: 3 }]);
    expect((await recorded()).map(readFacts)).toEqual(Array(2).fill(aCheck('', null).facts));
  });

  it('is brought along by each commit, whatever became of the ones before', async () => {
    const storage = await open();
    const other = connect();
    other.exec('ALTER TABLE check_rows RENAME TO elsewhere');
    await expect(storage.checks.append(aCheck('chk_1', true))).rejects.toMatchObject({ code: 'unavailable' });
    other.exec('ALTER TABLE elsewhere RENAME TO check_rows');
    await storage.checks.append(aCheck('chk_2', true));
    const check = aCheck('chk_2', true);
    expect(await storage.checks.find('chk_2')).toEqual(rowOf(check));
    expect((await recorded()).map(readFacts)).toEqual([check.facts]);
  });

  it('is brought along by the next batch though the one before failed with its texts, and all of it is sent ahead', async () => {
    const storage = await open();
    const other = connect();
    other.exec('ALTER TABLE check_rows RENAME TO elsewhere');
    await expect(storage.checks.append(aCheck('chk_0', true))).rejects.toMatchObject({ code: 'unavailable' });
    other.exec('ALTER TABLE elsewhere RENAME TO check_rows');
    const ids = Array.from({ length: STAGE_ROWS }, (_, index) => `chk_${index + 1}`);
    await Promise.all(ids.map((id) => storage.checks.append(aCheck(id, true))));
    expect(rowsOf('SELECT count(*) AS n FROM check_texts')).toEqual([{ n: 3 }]);
  });

  it('is sent once with each batch, however many parts that has', async () => {
    const [one, two] = [
      { id: '1', text: 'one' },
      { id: '2', text: 'two' },
    ];
    const sent = new Set<SharedText>();
    expect(
      textsOf(
        [
          { row: [], texts: [one, two] },
          { row: [], texts: [two, one] },
        ],
        sent,
      ),
    ).toEqual([one, two]);
    expect(textsOf([{ row: [], texts: [two] }], sent)).toEqual([]);
    const send = vi.spyOn(WriterThread.prototype, 'send');
    const call = vi.spyOn(WriterThread.prototype, 'call');
    onTestFinished(() => void vi.restoreAllMocks());
    const storage = await open();
    const ids = Array.from({ length: 2 * STAGE_ROWS + 1 }, (_, index) => `chk_${index}`);
    await Promise.all(ids.map((id) => storage.checks.append(aCheck(id, true))));
    const texts = [...send.mock.calls, ...call.mock.calls].map(([, , those]) => (those as unknown[]).length);
    expect(texts).toEqual([3, 0, 0]);
  });

  it('goes with the commit when the part that it was to go with cannot be sent', async () => {
    const storage = await open();
    vi.spyOn(WriterThread.prototype, 'send').mockImplementation(() => {
      throw new Error('not to be sent');
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const append = async (id: string) => storage.checks.append(aCheck(id, true));
    const ids = Array.from({ length: STAGE_ROWS }, (_, index) => `chk_${index}`);
    await Promise.allSettled(ids.map(append));
    expect(rowsOf('SELECT count(*) AS n FROM check_rows')).toEqual([{ n: STAGE_ROWS }]);
    expect(rowsOf('SELECT count(*) AS n FROM check_texts')).toEqual([{ n: 3 }]);
  });

  it('is missed aloud where the database has lost it, until a check brings it along again', async () => {
    const storage = await open();
    await storage.checks.append(aCheck('chk_1', true));
    connect().exec('DELETE FROM check_texts');
    await expect(recorded()).rejects.toThrow(/^check_texts has no "[0-9a-f]{16}", which checks name$/);
    const row = await storage.checks.find('chk_1');
    expect(() => parseRecord(row as CheckRow)).toThrow(
      'the facts of the check chk_1 cannot be read: check_texts has not what they share',
    );
    await storage.checks.append(aCheck('chk_2', true));
    expect(await storage.checks.find('chk_1')).toEqual(rowOf(aCheck('chk_1', true)));
  });

  it.each([
    ['facts', '["domain.has_mx","mx.outcome"]'],
    ['timings', '["mx"]'],
    ['sources', JSON.stringify(sources)],
  ])('is missed where it is but that of the %s', async (column, text) => {
    const storage = await open();
    await storage.checks.append(aCheck('chk_1', true));
    connect().prepare('DELETE FROM check_texts WHERE text = ?').run(text);
    const row = (await storage.checks.find('chk_1')) as CheckRow;
    expect(() => parseRecord(row)).toThrow(`the ${column} of the check chk_1 cannot be read`);
  });

  const value = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
      .map((n) => Number(n.toFixed(4)) + 0),
    fc.string({ unit: 'grapheme' }),
  );
  const facts = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}\.[a-z_]{1,3}$/), value, { maxKeys: 6 });

  const timings = fc.dictionary(fc.stringMatching(/^[a-z_]{1,3}$/), fc.nat(), { maxKeys: 4 });

  it('comes back whole, whatever the facts, the timings and their order', async () => {
    const storage = await open();
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(facts, timings), { minLength: 1, maxLength: 5 }), async (given) => {
        await storage.checks.deleteBefore('2027');
        const checks = given.map(([of, took]) =>
          checkOf(`chk_${made++}`, { facts: of, timings: took, sources }),
        );
        for (const check of checks) await storage.checks.append(check);
        for (const check of checks) expect(await storage.checks.find(check.id)).toEqual(rowOf(check));
        const found: RecordedCheck[] = [];
        for await (const page of storage.checks.pages({})) found.push(...page);
        expect(found.map((check) => JSON.stringify(readFacts(check)))).toEqual(
          given.map(([of]) => JSON.stringify(of)),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('the view `checks`', () => {
  it('has the columns that the table had, in their order', async () => {
    await open();
    expect(rowsOf("SELECT name FROM pragma_table_info('checks')").map(({ name }) => name)).toEqual(
      CHECK_COLUMNS,
    );
  });

  it.each(['0014', '0016'])(
    'shows records from before migration %s as they are, beside new ones',
    async (next) => {
      const before = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < next));
      prepareDatabaseFile(file);
      await migrate(file, before);
      const old = rowOf(aCheck('chk_old', false));
      connect()
        .prepare(`INSERT INTO checks (${CHECK_COLUMNS}) VALUES (${CHECK_COLUMNS.map(() => '?')})`)
        .run(...CHECK_COLUMNS.map((column) => old[column]));
      const storage = await open();
      await storage.checks.append(aCheck('chk_new', true));
      expect(rowsOf('SELECT * FROM checks')).toEqual([old, rowOf(aCheck('chk_new', true))]);
      expect((await recorded()).map(readFacts)).toEqual([aCheck('', false).facts, aCheck('', true).facts]);
    },
  );

  it('takes rows, changes and deletions as the table did', async () => {
    const storage = await open();
    await storage.checks.append(aCheck('chk_1', true));
    const database = connect();
    database.exec(`INSERT INTO checks SELECT 'chk_2', ${CHECK_COLUMNS.slice(1)} FROM checks`);
    expect(await storage.checks.find('chk_2')).toEqual(rowOf(aCheck('chk_2', true)));
    expect(() => database.exec("INSERT INTO checks SELECT * FROM checks WHERE id = 'chk_1'")).toThrow(
      /UNIQUE/,
    );
    database.exec("UPDATE checks SET created_at = '2026-01-01T00:00:00.000Z' WHERE id = 'chk_1'");
    expect(await storage.checks.find('chk_1')).toEqual(
      rowOf(aCheck('chk_1', true, { created_at: '2026-01-01T00:00:00.000Z' })),
    );
    database.exec("DELETE FROM checks WHERE id = 'chk_1'");
    expect(rowsOf('SELECT id FROM checks')).toEqual([{ id: 'chk_2' }]);
  });

  it('lets the labels of a check go with it', async () => {
    const storage = await open();
    await storage.accounts.create(accountOf('acc_1'));
    await storage.checks.append(aCheck('chk_1', true));
    const at = '2026-11-21T00:00:00.000Z';
    const label = { label: 'bad', source: 'test', author: null, labelledAt: at } as const;
    await storage.labels.put('acc_1', [{ subject: { checkId: 'chk_1' }, ...label }], at);
    connect().exec('DELETE FROM checks');
    expect(rowsOf('SELECT * FROM labels')).toEqual([]);
  });
});
