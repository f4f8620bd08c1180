import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hashPassword } from 'better-auth/crypto';
import { describe, expect, it } from 'vitest';
import { BetterAuthSessions } from '../../src/accounts/better-auth-sessions.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { lockData } from '../../src/storage/file-lock.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { RevocationLog } from '../../src/storage/revocation-log.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { addPerson, entryOf } from '../support/people.ts';
import { aWorldWith } from './recorded-world.ts';
import { aWorld, type World } from './world.ts';

const JANE = { id: 'chk_jane', canonical: 'jane@example.org' };
const PASSWORD = 'four walnut canoes adrift';
const CHUNKS = async function* (text: string) {
  yield Buffer.from(text);
};

const dataOf = (world: World) => join(world.cwd, 'data');

/** The database as the service has it open. */
async function using<T>(world: World, work: (storage: Storage) => Promise<T>): Promise<T> {
  const file = join(dataOf(world), 'postern.db');
  const revocations = new RevocationLog(dataOf(world));
  const storage = await openSqliteStorage({ file, durability: 'commit', revocations });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

async function sessionsOf(storage: Storage) {
  const dialect = await storage.peopleStorage.sessionDialect();
  const { people } = storage.peopleStorage;
  const log = createLogger('silent');
  return new BetterAuthSessions({ dialect, people, secret: Buffer.alloc(32, 7), idleSeconds: 3_600, log });
}

const RESTORE = ['restore', 'b.db', '--overwrite', '--yes'];

describe('postern restore, with the changes since the backup', () => {
  it('refuses a key that was revoked, and one whose grace period has ended', async () => {
    const world = await aWorldWith();
    const make = async () =>
      (await world.postern(['keys', 'create', '--account', 'acc_1', '--env', 'live', '--json'])).json().key
        .id;
    const [revoked, ended, ending, stays] = [await make(), await make(), await make(), await make()];
    await world.postern(['backup', 'b.db']);
    await world.postern(['keys', 'revoke', revoked]);
    await world.postern(['keys', 'rotate', ended, '--grace', '0']);
    await world.postern(['keys', 'rotate', ending, '--grace', '24h']);
    const before = await using(world, ({ keys }) => keys.find(ending));

    const { code, stdout } = await world.postern(RESTORE);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('carried over: key revoked: 1, key ends: 2\n'),
    ]);
    await using(world, async ({ keys }) => {
      expect((await keys.find(revoked))?.revokedAt).toEqual(expect.any(String));
      expect((await keys.find(ended))?.revokedAt).toEqual(expect.any(String));
      expect(await keys.find(ending)).toMatchObject({ revokedAt: null, expiresAt: before?.expiresAt });
      expect(await keys.find(stays)).toMatchObject({ revokedAt: null, expiresAt: null });
    });
    const listed = (await world.postern(['keys', 'list'])).stdout;
    expect(listed).toContain(`ends ${before?.expiresAt}\n`);
  });

  it('has no person who was removed, and gives no one a role that was withdrawn', async () => {
    const world = await aWorldWith();
    const demote = (storage: Storage, id: string) =>
      storage.peopleStorage.people.setRoles(
        id,
        { operatorRole: null, memberships: [{ accountId: 'acc_1', role: 'viewer' }] },
        { ...entryOf('act_9', 'person.roles_changed'), at: new Date().toISOString() },
      );
    await using(world, async (storage) => {
      await addPerson(storage, 'ada', 'owner');
      await addPerson(storage, 'grace', 'owner');
      await addPerson(storage, 'joan', 'owner');
    });
    await world.postern(['backup', 'b.db']);
    await world.postern(['people', 'remove', 'grace@firm.example']);
    await using(world, (storage) => demote(storage, 'per_joan'));
    expect((await world.postern(RESTORE)).stdout).toContain(
      'carried over: person removed: 1, roles changed: 1\n',
    );
    const { people } = (await world.postern(['people', 'list', '--json'])).json();
    expect(people).toMatchObject([
      { email: 'ada@firm.example', operator_role: 'owner' },
      {
        email: 'joan@firm.example',
        operator_role: null,
        memberships: [{ account_id: 'acc_1', role: 'viewer' }],
      },
    ]);
  });

  it('accepts no old password, ends all sessions and links, and names who needs a new password', async () => {
    const world = await aWorldWith();
    const hash = await hashPassword(PASSWORD);
    const cookie = await using(world, async (storage) => {
      await addPerson(storage, 'ada', 'owner', hash);
      await addPerson(storage, 'grace', 'owner', hash);
      const signedIn = await (await sessionsOf(storage)).begin('ada@firm.example', PASSWORD);
      return signedIn?.setCookies[0]?.split(';', 1)[0];
    });
    await world.postern(['people', 'setup-link']);
    await world.postern(['backup', 'b.db']);
    await using(world, async (storage) => {
      const passwords = { current: PASSWORD, next: 'seven lanterns over harbour' };
      expect(await (await sessionsOf(storage)).changePassword(cookie, passwords)).not.toBeNull();
      const entry = entryOf('act_8', 'person.password_changed');
      await storage.peopleStorage.people.notePassword('per_ada', entry);
    });
    // Its hash is that of her new password.
    await world.postern(['backup', 'later.db']);

    const { stdout } = await world.postern(RESTORE);
    expect(stdout).toContain('"postern people reset EMAIL" is needed for ada@firm.example\n');
    await using(world, async (storage) => {
      const sessions = await sessionsOf(storage);
      expect(await sessions.begin('ada@firm.example', PASSWORD)).toBeNull();
      expect(await sessions.begin('grace@firm.example', PASSWORD)).not.toBeNull();
      expect(await sessions.identify(cookie)).toBeNull();
    });
    expect((await world.postern(['people', 'links', '--json'])).json()).toEqual({ links: [] });
    expect((await world.postern(['people', 'reset', 'ada@firm.example'])).code).toBe(0);

    await world.postern(['restore', 'later.db', '--overwrite', '--yes']);
    await using(world, async (storage) => {
      const sessions = await sessionsOf(storage);
      expect(await sessions.begin('ada@firm.example', PASSWORD)).toBeNull();
      expect(await sessions.begin('ada@firm.example', 'seven lanterns over harbour')).not.toBeNull();
    });
  });

  it('contains no record of a person who was erased, and keeps later records', async () => {
    const world = await aWorldWith(JANE, { id: 'chk_joe', canonical: 'joe@example.org' });
    await world.postern(['backup', 'b.db']);
    expect((await world.postern(['checks', 'forget', 'jane@example.org'])).stdout).toBe('1 record erased\n');
    expect((await world.postern(RESTORE)).stdout).toContain('carried over: person erased: 1\n');
    expect((await world.postern(['checks', 'show', 'chk_jane'])).code).toBe(1);
    expect((await world.postern(['checks', 'show', 'chk_joe'])).code).toBe(0);
    const bytes = readFileSync(join(dataOf(world), 'postern.db')).toString('latin1');
    expect(bytes).toContain('chk_joe');
    expect(bytes).not.toContain('chk_jane');
  });

  it('contains no record from before the key of the address hashes was replaced', async () => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db', '--with-secrets']);
    await world.postern(['secrets', 'replace', 'hmac', '--forget-old-records']);
    const { code } = await world.postern([...RESTORE, '--with-secrets']);
    expect(code).toBe(0);
    expect((await world.postern(['checks', 'show', 'chk_jane'])).code).toBe(1);
  });

  it('carries the log to another machine, from one backup to the next', async () => {
    const old = await aWorldWith(JANE);
    await old.postern(['backup', 'first.db', '--with-secrets']);
    await old.postern(['keys', 'revoke', 'key_1']);
    await old.postern(['backup', 'second.db', '--with-secrets']);
    const world = aWorld();
    for (const name of ['first.db', 'second.db']) cpSync(join(old.cwd, name), join(world.cwd, name));
    const restored = await world.postern(['restore', 'second.db', '--yes', '--with-secrets']);
    expect(restored.code).toBe(0);
    expect(restored.stderr).toContain(
      'revocations.log begins now: what was revoked before, and after the backup',
    );
    expect((await world.postern(['checks', 'forget', 'jane@example.org'])).stdout).toBe('1 record erased\n');
    await world.postern(['restore', 'first.db', '--yes', '--overwrite']);
    const [key] = (await world.postern(['keys', 'list', '--json'])).json().keys;
    expect(key).toMatchObject({ id: 'key_1', revoked_at: expect.any(String) });
    expect((await world.postern(['checks', 'show', 'chk_jane'])).code).toBe(1);
  });

  it('reports the period that the log does not cover', async () => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db']);
    appendFileSync(join(dataOf(world), 'revocations.log'), 'damaged\n');
    const { stderr } = await world.postern(RESTORE);
    expect(stderr).toContain('revocations.log: 1 line cannot be read: what they tell of comes back');
    expect(stderr).not.toContain('begins');
  });
});

describe('postern restore', () => {
  it('keeps the previous database, and can restore that one', async () => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db']);
    await using(world, ({ accounts }) =>
      accounts.create({ id: 'acc_2', name: 'late', createdAt: '2026-11-20' }),
    );
    const { kept } = (await world.postern([...RESTORE, '--json'])).json();
    expect(kept).toMatch(/\/data\/postern\.db\.before-\d{8}T\d{9}Z$/);
    const names = async () =>
      (await world.postern(['accounts', 'list', '--json']))
        .json()
        .accounts.map(({ id }: { id: string }) => id)
        .sort();
    expect(await names()).toEqual(['acc_1']);
    expect(statSync(join(dataOf(world), 'postern.db')).mode & 0o777).toBe(0o600);
    expect((await world.postern(['restore', kept, '--overwrite', '--yes'])).code).toBe(0);
    expect(await names()).toEqual(['acc_1', 'acc_2']);
    expect(readdirSync(dataOf(world)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('keeps with it the commits that a crash has left in its write-ahead log', async () => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db']);
    const file = join(dataOf(world), 'postern.db');
    const other = new DatabaseSync(file);
    other.exec("PRAGMA wal_autocheckpoint=0; INSERT INTO accounts VALUES ('acc_2', 'late', '2026-11-20')");
    const { kept } = (await world.postern([...RESTORE, '--json'])).json();
    expect(existsSync(`${kept}-wal`)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
    other.close();
  });

  it('keeps a link to the database, and replaces the target of the link', async () => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db']);
    const file = join(dataOf(world), 'postern.db');
    renameSync(file, join(world.cwd, 'elsewhere.db'));
    symlinkSync(join(world.cwd, 'elsewhere.db'), file);
    await world.postern(['accounts', 'create', 'late']);
    const { kept } = (await world.postern([...RESTORE, '--json'])).json();
    expect(kept).toContain('/elsewhere.db.before-');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect((await world.postern(['accounts', 'list', '--json'])).json().accounts).toHaveLength(1);
  });

  it('moves away a write-ahead log that a crash has left without its database, so that none of it returns', async () => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db']);
    const file = join(dataOf(world), 'postern.db');
    const other = new DatabaseSync(file);
    other.exec("PRAGMA wal_autocheckpoint=0; INSERT INTO accounts VALUES ('acc_2', 'late', '2026-11-20')");
    renameSync(file, join(world.cwd, 'aside.db'));
    const untold = await world.postern(['restore', 'b.db', '--yes']);
    expect([untold.code, untold.stderr]).toEqual([
      2,
      expect.stringContaining('postern.db-wal is there: --overwrite keeps it'),
    ]);
    const { kept } = (await world.postern([...RESTORE, '--json'])).json();
    other.close();
    expect(existsSync(`${kept}-wal`)).toBe(true);
    expect((await world.postern(['accounts', 'list', '--json'])).json().accounts).toMatchObject([
      { id: 'acc_1' },
    ]);
  });

  it('asks on a terminal, and changes nothing where the answer is no or there is no terminal', async () => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db']);
    await world.postern(['keys', 'create', '--account', 'acc_1', '--env', 'live']);
    const keys = async () => (await world.postern(['keys', 'list', '--json'])).json().keys.length;
    const asked = ['restore', 'b.db', '--overwrite'];
    const nobody = await world.postern(asked);
    expect([nobody.code, nobody.stderr]).toEqual([
      2,
      expect.stringContaining('--yes restores where no terminal'),
    ]);
    const no = await world.postern(asked, { isTTY: true, stdin: CHUNKS('\n') });
    expect([no.code, no.stderr]).toEqual([
      2,
      expect.stringContaining('Restore it? [yes/no]\npostern: nothing was changed'),
    ]);
    expect(await keys()).toBe(2);
    expect((await world.postern(asked, { isTTY: true, stdin: CHUNKS('yes\n') })).code).toBe(0);
    expect(await keys()).toBe(1);
  });

  it('refuses beside a running service, and without the option to replace a database', async () => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db']);
    const dataDir = dataOf(world);
    const service = lockData({ dataDir, database: join(dataDir, 'postern.db') });
    const beside = await world.postern(RESTORE);
    expect([beside.code, beside.stderr]).toEqual([
      2,
      expect.stringContaining('another postern serves this data directory'),
    ]);
    service[Symbol.dispose]();
    const untold = await world.postern(['restore', 'b.db', '--yes']);
    expect([untold.code, untold.stderr]).toEqual([
      2,
      expect.stringContaining('--overwrite keeps it under another name'),
    ]);
  });

  it.each<[string, (world: World) => unknown, string]>([
    [
      'is not there',
      ({ cwd }) => rmSync(join(cwd, 'b.db')),
      'b.db cannot be read: ENOENT: no such file or directory',
    ],
    [
      'is a directory',
      ({ cwd }) => {
        rmSync(join(cwd, 'b.db'));
        mkdirSync(join(cwd, 'b.db'));
      },
      'b.db cannot be read: it is no file',
    ],
    [
      'is a pipe',
      ({ cwd }) => {
        rmSync(join(cwd, 'b.db'));
        execFileSync('mkfifo', [join(cwd, 'b.db')]);
      },
      'b.db cannot be read: it is no file',
    ],
    [
      'is no database',
      (world) => world.write('b.db', 'no database '.repeat(100)),
      'b.db cannot be read: file is not a database',
    ],
    [
      'is another database',
      ({ cwd }) => {
        rmSync(join(cwd, 'b.db'));
        const other = new DatabaseSync(join(cwd, 'b.db'));
        other.exec('CREATE TABLE t (a)');
        other.close();
      },
      'b.db is no database of Postern',
    ],
    [
      'is damaged',
      ({ cwd }) => {
        const bytes = readFileSync(join(cwd, 'b.db'));
        writeFileSync(join(cwd, 'b.db'), bytes.fill(0xa5, 8 * 8_192, 20 * 8_192));
      },
      'b.db is damaged, take another one: ',
    ],
    [
      'is of a newer version',
      ({ cwd }) => {
        const newer = new DatabaseSync(join(cwd, 'b.db'));
        newer.exec("INSERT INTO migrations VALUES ('9999-from-the-future', '2099')");
        newer.close();
      },
      'made by a newer Postern (migration 9999-from-the-future)',
    ],
    [
      'was made under another key',
      ({ cwd }) => writeFileSync(join(cwd, 'data/secrets/hmac.key'), Buffer.alloc(32, 9)),
      'hmac.key is another key than the database was used with: put the right one back',
    ],
    [
      'was made under a key that is lost',
      ({ cwd }) => rmSync(join(cwd, 'data/secrets/hmac.key')),
      'hmac.key is missing, and the database was used with it: put it back',
    ],
    [
      'cannot be held to what was revoked',
      (world) => {
        rmSync(join(dataOf(world), 'revocations.log'));
        mkdirSync(join(dataOf(world), 'revocations.log'));
      },
      'data/revocations.log cannot be read: EISDIR',
    ],
  ])('refuses a backup that %s, and changes nothing', async (_case, spoil, words) => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db']);
    await spoil(world);
    const before = readFileSync(join(dataOf(world), 'postern.db'));
    const { code, stdout, stderr } = await world.postern(RESTORE);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)]);
    expect(readFileSync(join(dataOf(world), 'postern.db')).equals(before)).toBe(true);
    expect(readdirSync(dataOf(world)).filter((name) => name.includes('before'))).toEqual([]);
  });

  it('names the permission that it lacks', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'root may read every file');
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db']);
    chmodSync(join(world.cwd, 'b.db'), 0o000);
    const { code, stderr } = await world.postern(RESTORE);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('b.db cannot be read: EACCES: permission denied'),
    ]);
  });

  it('restores the keys of the backup with the option, and keeps existing keys', async () => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db', '--with-secrets']);
    const file = join(dataOf(world), 'secrets/hmac.key');
    const key = readFileSync(file);
    writeFileSync(file, Buffer.alloc(32, 9));
    const refused = await world.postern(RESTORE);
    expect(refused.stderr).toContain('--with-secrets takes the one that the backup holds');
    expect((await world.postern([...RESTORE, '--with-secrets'])).code).toBe(0);
    expect(readFileSync(file)).toEqual(key);
    expect(readdirSync(join(dataOf(world), 'secrets')).sort()).toEqual([
      'hmac.key',
      expect.stringContaining('hmac.key.replaced-'),
      'session.key',
    ]);
    expect((await world.postern(['checks', 'forget', 'jane@example.org'])).code).toBe(0);
    await world.postern(['backup', 'plain.db']);
    const without = await world.postern(['restore', 'plain.db', '--overwrite', '--yes', '--with-secrets']);
    expect(without.stderr).toContain('plain.db was made without secrets');
  });

  it('restores without the key of the address hashes where that is lost', async () => {
    const world = await aWorldWith(JANE);
    await world.postern(['backup', 'b.db']);
    rmSync(dataOf(world), { recursive: true });
    expect((await world.postern(['restore', 'b.db', '--yes', '--without-key'])).code).toBe(0);
    const replaced = await world.postern(['secrets', 'replace', 'hmac', '--forget-old-records']);
    expect(replaced.stdout).toContain('1 record and 0 labels of people erased');
    expect((await world.postern(['keys', 'list', '--json'])).json().keys).toHaveLength(1);
  });

  it('also accepts a copy made by sqlite3, of an older version too', async () => {
    const world = await aWorldWith();
    cpSync('test/storage/fixtures/of-15640f0.db', join(world.cwd, 'old.db'));
    const { code, stderr } = await world.postern(['restore', 'old.db', '--overwrite', '--yes']);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('old.db: made at a time that it does not say'),
    ]);
    expect((await world.postern(['keys', 'list'])).code).toBe(0);
  });
});
