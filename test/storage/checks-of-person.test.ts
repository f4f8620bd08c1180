import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { searchChecks } from '../../src/storage/shared/search-checks.ts';
import { sqliteRecords } from '../../src/storage/sqlite/database.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { makeFirstDatabase } from './first-database.ts';
import { accountOf, checkOf } from './rows.ts';

const AT = '2026-11-20T10:00:00.000Z';
const PEOPLE = ['0123456789abcdef-jane', '0123456789abcdef-joan', 'fedcba9876543210-jim'] as const;
const ACCOUNTS = ['acc_1', 'acc_2'] as const;

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

const insertOld = (database: DatabaseSync, rows: readonly Recorded[]) => {
  const statement = database.prepare(
    `INSERT INTO checks (id, created_at, account_id, key_id, environment, action, risk_score, risk_level, ruleset, facts,
      unknown, evidence, ledger, timings, sources, address_hmac)
     VALUES (?, ?, ?, 'key_1', 'live', 'ALLOW', 0, 'low', 'hash', '{}', '{}', '{}', '[]', '{}', '{}', ?)`,
  );
  for (const row of rows) statement.run(row.id, row.created_at, row.account_id, row.address_hmac);
};

const recordBefore = (rows: readonly Recorded[]) => {
  using database = makeFirstDatabase(file);
  insertOld(database, rows);
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
  it('are found, counted and deleted, whenever they were recorded and from whatever account', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(checks, checks, checks, async (...given) => {
        file = join(temporaryDirectory(), `postern-${runs++}.db`);
        let made = 0;
        const [before, fromElsewhere, since] = given.map((some) =>
          some.map(({ minute, ...row }): Recorded => {
            const time = `10:${String(minute).padStart(2, '0')}`;
            return {
              ...row,
              id: `chk_${String(made++).padStart(3, '0')}`,
              created_at: `2026-11-20T${time}:00.000Z`,
            };
          }),
        );
        recordBefore(before ?? []);
        const storage = await openSqliteStorage({ file, durability: 'commit' });
        const database = new DatabaseSync(file);
        try {
          for (const id of ACCOUNTS) await storage.accounts.create(accountOf(id));
          insertOld(database, fromElsewhere ?? []);
          for (const row of since ?? []) await storage.checks.append(checkOf(row.id, row));
          let all = [...(before ?? []), ...(fromElsewhere ?? []), ...(since ?? [])];
          const of = (person: string, account?: string) =>
            all.filter(
              ({ address_hmac, account_id }) =>
                address_hmac === person && (account === undefined || account_id === account),
            );
          const newestFirst = (rows: readonly Recorded[]) =>
            rows
              .toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id))
              .map(({ id }) => id);
          const isAsExpected = async () => {
            for (const person of PEOPLE) {
              for (const accountId of [...ACCOUNTS, undefined]) {
                const asked = { person, limit: 500, ...(accountId && { accountId }) };
                const { checks: listed } = await searchChecks(sqliteRecords(database), asked);
                const found = listed.map(({ id }) => id);
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
