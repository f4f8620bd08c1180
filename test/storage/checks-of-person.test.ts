import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { searchChecks } from '../../src/insights/sqlite/search-checks.ts';
import { prepareDatabaseFile } from '../../src/storage/sqlite/database-file.ts';
import { MIGRATIONS, migrate } from '../../src/storage/sqlite/migrate.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { accountOf, checkOf } from './rows.ts';

const AT = '2026-11-20T10:00:00.000Z';
/** Two that the index cannot tell apart, and a third. */
const PEOPLE = ['0123456789abcdef-jane', '0123456789abcdef-joan', 'fedcba9876543210-jim'] as const;
const ACCOUNTS = ['acc_1', 'acc_2'] as const;
const BLOCKS_CAME_WITH = '0015';

interface Recorded {
  readonly id: string;
  readonly account_id: string;
  readonly address_hmac: string | null;
  readonly created_at: string;
}

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
const blocks = (database: DatabaseSync) =>
  database
    .prepare('SELECT block FROM check_blocks ORDER BY block')
    .all()
    .map(({ block }) => block);

const insertOld = (database: DatabaseSync, table: string, rows: readonly Recorded[]) => {
  const statement = database.prepare(
    `INSERT INTO ${table} (id, created_at, account_id, key_id, environment, action, risk_score, risk_level, ruleset, facts,
      unknown, evidence, ledger, timings, sources, address_hmac)
     VALUES (?, ?, ?, 'key_1', 'live', 'ALLOW', 0, 'low', 'hash', '{}', '{}', '{}', '[]', '{}', '{}', ?)`,
  );
  for (const row of rows) statement.run(row.id, row.created_at, row.account_id, row.address_hmac);
};

/** By the older migrations, before anything of blocks was known. */
const recordBefore = async (rows: readonly Recorded[]) => {
  prepareDatabaseFile(file);
  await migrate(
    file,
    Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < BLOCKS_CAME_WITH)),
  );
  const database = new DatabaseSync(file);
  insertOld(database, 'checks', rows);
  database.close();
};

const checks = fc.array(
  fc.record({
    account_id: fc.constantFrom(...ACCOUNTS),
    address_hmac: fc.constantFrom(...PEOPLE, null),
    minute: fc.nat(59),
  }),
  { maxLength: 40 },
);

describe('the checks of a person', () => {
  it('are found, counted and forgotten, whenever and by whomever they were recorded', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(checks, checks, checks, async (...given) => {
        file = join(temporaryDirectory(), `postern-${runs++}.db`);
        let made = 0;
        const [before, fromElsewhere, since] = given.map((some) =>
          some.map(({ minute, ...row }): Recorded => {
            const time = `10:${String(minute).padStart(2, '0')}`;
            return { ...row, id: `chk_${made++}`, created_at: `2026-11-20T${time}:00.000Z` };
          }),
        );
        await recordBefore(before ?? []);
        const storage = await openSqliteStorage({ file, durability: 'commit' });
        const database = new DatabaseSync(file);
        try {
          for (const id of ACCOUNTS) await storage.accounts.create(accountOf(id));
          insertOld(database, 'checks', fromElsewhere ?? []);
          for (const [index, row] of (since ?? []).entries()) {
            await storage.checks.append(checkOf(row.id, row));
            // As if a block had become full; some of them stay empty.
            database.exec(`UPDATE check_rows SET block = ${1 + (index >> 3) * 2} WHERE id = '${row.id}'`);
          }
          let all = [...(before ?? []), ...(fromElsewhere ?? []), ...(since ?? [])];
          const of = (person: string, account?: string) =>
            all.filter(
              ({ address_hmac, account_id }) =>
                address_hmac === person && (account === undefined || account_id === account),
            );
          const newestFirst = (rows: readonly Recorded[]) =>
            rows
              .map((row, place) => ({ ...row, place }))
              .toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.place - a.place)
              .map(({ id }) => id);
          const isAsExpected = async () => {
            for (const person of PEOPLE) {
              for (const accountId of [...ACCOUNTS, undefined]) {
                const asked = { addressHmac: person, limit: 500, ...(accountId && { accountId }) };
                const found = searchChecks(database, asked).checks.map(({ id }) => id);
                expect(found).toEqual(newestFirst(of(person, accountId)));
              }
              const subjects = [{ addressHmac: person }, { checkId: 'chk_none' }, { addressHmac: person }];
              for (const account of ACCOUNTS) {
                const n = of(person, account).length;
                expect(await storage.labels.reach(account, subjects)).toEqual([n, 0, n]);
              }
            }
          };
          await isAsExpected();
          const label = { label: 'bad', source: 'test', author: null, labelledAt: AT } as const;
          const subjects = PEOPLE.map((addressHmac) => ({ subject: { addressHmac }, ...label }));
          for (const account of ACCOUNTS) await storage.labels.put(account, subjects, AT);
          for (const account of ACCOUNTS) {
            const listed = await storage.labels.list(account, 10);
            expect(new Map(listed.map(({ subject, checks: n }) => [Object.values(subject)[0], n]))).toEqual(
              new Map(PEOPLE.map((person) => [person, of(person, account).length])),
            );
            const { checks: n } = await storage.labels.summarize(account);
            expect(n).toBe(PEOPLE.flatMap((person) => of(person, account)).length);
          }
          const labelled = ACCOUNTS.flatMap((account) => PEOPLE.map((person) => of(person, account)));
          const idle = labelled.filter((rows) => rows.length === 0).length;
          expect(await storage.labels.deleteIdle('2027')).toBe(idle);
          const [jane] = PEOPLE;
          const hers = of(jane);
          const herLabels = new Set(hers.map(({ account_id }) => account_id)).size;
          expect(await storage.checks.forget({ addressHmac: jane })).toEqual({
            checks: hers.length,
            labels: herLabels,
          });
          all = all.filter(({ address_hmac }) => address_hmac !== jane);
          await isAsExpected();
        } finally {
          database.close();
          await storage.close();
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('blocks of checks', () => {
  it('begin with the first check, and are some commits long', async () => {
    const storage = await open();
    const database = connect();
    expect(blocks(database)).toEqual([-1]);
    await storage.checks.append(checkOf('chk_first'));
    expect(blocks(database)).toEqual([-1, 0]);
    const append = (from: number, rows: number) =>
      Promise.all(Array.from({ length: rows }, (_, i) => storage.checks.append(checkOf(`chk_${from + i}`))));
    await append(1, 254);
    expect(blocks(database)).toEqual([-1, 0]);
    await append(255, 700);
    expect(blocks(database)).toEqual([-1, 0, 1, 2, 3].slice(0, blocks(database).length));
    await storage.checks.append(checkOf('chk_last'));
    expect(database.prepare("SELECT block FROM check_rows WHERE id = 'chk_last'").get()).toEqual({
      block: 3,
    });
  });

  it('that retention has emptied are not looked into', async () => {
    const storage = await open();
    const database = connect();
    for (const [id, block] of [
      ['chk_1', 700],
      ['chk_2', 702],
    ] as const) {
      await storage.checks.append(checkOf(id));
      database.exec(`UPDATE check_rows SET block = ${block} WHERE id = '${id}'`);
    }
    expect(blocks(database)).toEqual([-1, 700, 701, 702]);
    await storage.checks.deleteBefore('2027');
    expect(blocks(database)).toEqual([-1]);
  });

  it('whose numbers are higher than new ones, as where a dump was read in again, are looked into', async () => {
    const storage = await open();
    const database = connect();
    const append = (id: string) => storage.checks.append(checkOf(id, { address_hmac: PEOPLE[0] }));
    for (const id of ['chk_1', 'chk_2', 'chk_3']) await append(id);
    database.exec("UPDATE check_rows SET block = 9; DELETE FROM check_rows WHERE id = 'chk_1'");
    await append('chk_4');
    const found = searchChecks(database, { addressHmac: PEOPLE[0], limit: 9 }).checks;
    expect(found.map(({ id }) => id).toSorted()).toEqual(['chk_2', 'chk_3', 'chk_4']);
    expect(blocks(database)).toEqual([-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
