import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Storage } from '../../src/storage/ports.ts';
import { RevocationLog } from '../../src/storage/revocation-log.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { accountOf, checkOf, keyOf } from '../storage/rows.ts';
import { addPerson, entryOf } from '../support/people.ts';
import { aWorldWith } from './recorded-world.ts';
import { aWorld, type World } from './world.ts';

const GOOD = { risk_score: 30, ledger: '[{"kind":"rule","points":50},{"kind":"cap","points":-20}]' };
const THIS_MONTH = { ...GOOD, created_at: new Date().toISOString() };

/** Its log begins before its accounts, as that of a real service does. */
async function aWholeWorld(): Promise<World> {
  const jane = { id: 'chk_jane', canonical: 'jane@example.org', ...THIS_MONTH };
  const world = await aWorldWith(jane, { id: 'chk_2', ...GOOD });
  world.write('data/revocations.log', '{"at":"2026-01-01T00:00:00.000Z","what":"log_begun"}\n');
  return world;
}

const dataOf = (world: World) => join(world.cwd, 'data');
const databaseOf = (world: World) => join(dataOf(world), 'postern.db');

/** Changes that another program makes in the database. */
function alter(world: World, sql: string): void {
  const database = new DatabaseSync(databaseOf(world));
  database.exec(sql);
  database.close();
}

function damage(world: World, table: string): void {
  const database = new DatabaseSync(databaseOf(world));
  const { page } =
    database.prepare('SELECT rootpage AS page FROM sqlite_schema WHERE name = ?').get(table) ?? {};
  database.close();
  const bytes = readFileSync(databaseOf(world));
  writeFileSync(databaseOf(world), bytes.fill(0xa5, (Number(page) - 1) * 8_192, Number(page) * 8_192));
}

async function withStorage(world: World, work: (storage: Storage) => Promise<unknown>): Promise<void> {
  const revocations = new RevocationLog(dataOf(world));
  const storage = await openSqliteStorage({ file: databaseOf(world), durability: 'commit', revocations });
  await work(storage);
  await storage.close();
}

const storeRules = (files: Readonly<Record<string, string>>) => (world: World) =>
  withStorage(world, ({ ruleVersions }) => {
    const version = {
      hash: 'aa',
      digest: 'bb',
      reason: 'start',
      at: '2026-11-20',
      author: null,
      restores: null,
    } as const;
    return ruleVersions.add(version, files);
  });

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly remedy: string | null;
}

describe('postern verify', () => {
  it('reports each check as passed in a sound database, also while the service runs', async () => {
    const world = await aWholeWorld();
    await withStorage(world, async (storage) => {
      await storage.checks.append(checkOf('chk_3', THIS_MONTH));
      const { code, stdout, stderr } = await world.postern(['verify']);
      expect([code, stderr]).toEqual([0, '']);
      expect(
        stdout
          .trimEnd()
          .split('\n')
          .map((line) => /^ok {7}(.+?):/.exec(line)?.[1]),
      ).toEqual([...['database', 'secrets', 'pages', 'ledgers', 'usage', 'rules', 'revocations']]);
    });
  });

  it.each(['api_keys', 'usage', 'checks', 'audit_trail', 'service_state', 'sqlite_autoindex_api_keys_2'])(
    'names %s where one of its pages is damaged, and recommends to restore a backup',
    async (table) => {
      const world = await aWholeWorld();
      damage(world, table);
      const { code, stdout, stderr } = await world.postern(['verify']);
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toMatch(
        new RegExp(
          `^error    pages: ${table} page \\d+: .*; see .* for the disk .* run "postern restore BACKUP`,
          'm',
        ),
      );
      expect(stdout).not.toMatch(/\n\s+at /);
      expect(stdout).not.toMatch(/malformed$/m);
    },
  );

  it.each([
    ['api_keys', ['keys', 'list']],
    ['checks', ['retention', 'status']],
  ])(
    'is not needed to notice a damaged page of %s: a command that reads it fails and names postern doctor',
    async (table, command) => {
      const world = await aWholeWorld();
      damage(world, table);
      const { code, stderr } = await world.postern(command);
      expect([code, stderr]).toEqual([
        2,
        'postern: what is stored cannot be used: database disk image is malformed; "postern doctor" looks for the reason\n',
      ]);
    },
  );

  it.each<[string, string, (world: World) => unknown, RegExp, RegExp | null]>([
    [
      'the database is gone',
      'database',
      (world) => rmSync(databaseOf(world)),
      /postern\.db is not there/,
      /restore/,
    ],
    [
      'it is no database',
      'database',
      (world) => writeFileSync(databaseOf(world), 'x'.repeat(9_000)),
      /file is not a database/,
      /restore/,
    ],
    [
      'it was cut off',
      'database',
      (world) => writeFileSync(databaseOf(world), readFileSync(databaseOf(world)).subarray(0, 60_000)),
      /database disk image is malformed/,
      /restore/,
    ],
    [
      'a newer version wrote it',
      'database',
      (world) => alter(world, "INSERT INTO migrations VALUES ('9999-from-the-future', '2099')"),
      /was written by a newer Postern/,
      /with that version/,
    ],
    [
      'an older version wrote it',
      'database',
      (world) => cpSync('test/storage/fixtures/of-15640f0.db', databaseOf(world)),
      /lacks steps: /,
      /the next start takes them/,
    ],
    [
      'a row refers to none',
      'pages',
      (world) => alter(world, 'PRAGMA foreign_keys=OFF; DELETE FROM accounts'),
      /api_keys: row 1 refers to a row of accounts that is not there/,
      /restore/,
    ],
    [
      'a score was changed',
      'ledgers',
      (world) => alter(world, "UPDATE checks SET risk_score = 31 WHERE id = 'chk_2'"),
      /^the ledger of 1 record .*: chk_2$/,
      /another program has written/,
    ],
    [
      'a ledger is no JSON',
      'ledgers',
      (world) => alter(world, "UPDATE checks SET ledger = '[{' WHERE id = 'chk_jane'"),
      /: chk_jane$/,
      /another program has written/,
    ],
    [
      'more is on record than was used',
      'usage',
      (world) => alter(world, "UPDATE usage SET checks = 0 WHERE month = '2026-11'"),
      /acc_1 has used 0 checks of 2026-11, and \d are on record/,
      /which program/,
    ],
    [
      'less is on record than was used',
      'usage',
      (world) => alter(world, 'UPDATE usage SET checks = checks + 7'),
      /acc_1 has used \d+ checks of \d{4}-\d\d, and \d are on record/,
      /nothing where retention\.days was raised/,
    ],
    [
      'the key of addresses is another',
      'secrets',
      (world) => writeFileSync(join(dataOf(world), 'secrets/hmac.key'), Buffer.alloc(32, 9)),
      /hmac\.key is another key than the database was used with/,
      null,
    ],
    [
      'the key of sessions is gone',
      'secrets',
      (world) => rmSync(join(dataOf(world), 'secrets/session.key')),
      /session\.key is missing.*secrets replace session/,
      null,
    ],
    [
      'a key is open to others',
      'secrets',
      (world) => chmodSync(join(dataOf(world), 'secrets/hmac.key'), 0o644),
      /open to others/,
      null,
    ],
    [
      'a text of the rules was changed',
      'rules',
      async (world) => {
        await storeRules({ 'domain.yaml': 'group: domain' })(world);
        alter(world, "UPDATE rule_texts SET text = 'group: other'");
      },
      /^1 file.*: domain\.yaml of version 1$/,
      /nothing can be rolled back/,
    ],
    [
      'the rules in force cannot be loaded',
      'rules',
      storeRules({}),
      /there is no decision\.yaml/,
      /postern rules lint/,
    ],
    [
      'a line of the log is damaged',
      'revocations',
      (world) => appendFileSync(join(dataOf(world), 'revocations.log'), '\0\0\n'),
      /^1 line cannot be read$/,
      /postern restore/,
    ],
    [
      'the log cannot be read',
      'revocations',
      (world) => {
        rmSync(join(dataOf(world), 'revocations.log'));
        mkdirSync(join(dataOf(world), 'revocations.log'));
      },
      /EISDIR/,
      /postern restore/,
    ],
  ])('reports %s', async (_case, check, spoil, fault, remedy) => {
    const world = await aWholeWorld();
    await spoil(world);
    const { code, json } = await world.postern(['verify', '--json']);
    expect(code).toBe(1);
    const findings: readonly Finding[] = json().findings;
    const [found, ...others] = findings.filter(({ level }) => level !== 'ok');
    expect(found).toMatchObject({ check, level: 'error', message: expect.stringMatching(fault) });
    expect(found?.remedy).toEqual(remedy && expect.stringMatching(remedy));
    expect(others).toEqual([]);
  });

  it('reports revoked entries that are valid again, where a file was copied back by hand', async () => {
    const world = await aWholeWorld();
    await withStorage(world, (storage) =>
      addPerson(storage, 'ada', 'owner')
        .then(() => addPerson(storage, 'grace', 'owner'))
        .then(() => addPerson(storage, 'joan', 'owner'))
        .then(() => storage.keys.create(keyOf(2))),
    );
    cpSync(databaseOf(world), join(world.cwd, 'copy.db'));
    await world.postern(['keys', 'revoke', 'key_1']);
    await world.postern(['keys', 'rotate', 'key_2']);
    await world.postern(['people', 'remove', 'grace@firm.example']);
    await withStorage(world, ({ peopleStorage: { people } }) => {
      const entry = entryOf('act_demoted', 'person.roles_changed', new Date().toISOString());
      return people.setRoles('per_joan', { operatorRole: 'analyst', memberships: [] }, entry);
    });
    await world.postern(['checks', 'forget', 'jane@example.org']);
    expect((await world.postern(['verify'])).code).toBe(0);
    cpSync(join(world.cwd, 'copy.db'), databaseOf(world));
    const { code, stdout } = await world.postern(['verify']);
    expect(code).toBe(1);
    for (const what of [
      'key revoked at .*: key_1',
      'key ends at .*: key_2',
      'roles changed at .*: per_joan',
      'person removed at .*: per_grace',
      'person erased at .*: [0-9a-f]{64}',
    ]) {
      expect(stdout).toMatch(new RegExp(what));
    }
    await world.postern(['backup', 'b.db']);
    await world.postern(['restore', 'b.db', '--overwrite', '--yes']);
    expect((await world.postern(['verify'])).stdout).not.toContain('error');
  });

  it('reports records that are there again after all were erased with the key of their addresses', async () => {
    const world = await aWholeWorld();
    cpSync(databaseOf(world), join(world.cwd, 'copy.db'));
    await world.postern(['secrets', 'replace', 'hmac', '--forget-old-records']);
    cpSync(join(world.cwd, 'copy.db'), databaseOf(world));
    expect((await world.postern(['verify'])).stdout).toMatch(/not so in the database: records erased at/);
  });

  it('reports no fault where records were erased, or are past their retention', async () => {
    const world = await aWholeWorld();
    await withStorage(world, async ({ checks, accounts }) => {
      await accounts.create(accountOf('acc_2'));
      await checks.append(checkOf('chk_old', { ...GOOD, created_at: '2020-01-20T10:00:00.000Z' }));
      await checks.append(checkOf('chk_later', { ...GOOD, created_at: '2020-01-21T10:00:00.000Z' }));
      await checks.deleteBefore('2020-01-21T00:00:00.000Z');
    });
    await world.postern(['checks', 'forget', 'jane@example.org']);
    const { code, stdout } = await world.postern(['verify']);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('error')]);
  });

  it('creates no database where there is none', async () => {
    const world = aWorld();
    expect((await world.postern(['verify'])).code).toBe(1);
    expect(existsSync(dataOf(world))).toBe(false);
  });
});
