import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { StartupError } from '../../src/errors.ts';
import { packageRoot } from '../../src/lib/paths.ts';
import { DirectoryListStore } from '../../src/lists/open-list-store.ts';
import { updateList } from '../../src/lists/update-list.ts';
import { lockDatabase } from '../../src/storage/file-lock.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { openPostgresListStore } from '../../src/storage/postgres/postgres-records.ts';
import { RevocationLog } from '../../src/storage/revocation-log.ts';
import { fingerprintOf, putSecret } from '../../src/storage/secret-store.ts';
import { findState } from '../../src/storage/sqlite/database.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { URL as LIST, numbered, setUp as setUpList } from '../lists/a-list.ts';
import { fill } from '../storage/filled.ts';
import { describePostgres } from '../support/postgres.ts';
import { aWorld, type World } from './world.ts';

/** No PostgreSQL is ever connected to here. */
const NOWHERE = 'postgres://ann:s3cret@127.0.0.1:1/none';

/** The key under which the addresses of the records were hashed. */
const KEY = Buffer.alloc(32, 7);

async function aFilledWorld(checks?: number): Promise<World> {
  const world = aWorld();
  const file = join(world.cwd, 'data/postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit' });
  await fill(storage, { checks });
  await storage.state.keep('hmac_key', fingerprintOf(KEY));
  await storage.close();
  await putSecret(join(world.cwd, 'data/secrets/hmac.key'), KEY);
  return world;
}

describe('storage copy', () => {
  it.each([
    [['sqlite:a.db', 'sqlite:b.db'], 'one of the two is an SQLite file, the other a PostgreSQL database'],
    [[NOWHERE, NOWHERE], 'one of the two is an SQLite file, the other a PostgreSQL database'],
    [['a.db', NOWHERE], '--from is sqlite:FILE or postgres://USER@HOST/DATABASE'],
    [['sqlite:', NOWHERE], '--from is sqlite:FILE or postgres://USER@HOST/DATABASE'],
    [['sqlite:a.db', 'postgres//ann:s3cret@h/d'], '--to is sqlite:FILE or postgres://USER@HOST/DATABASE'],
    [['sqlite:none.db', NOWHERE], 'none.db is not there'],
  ])('reports what cannot be copied, without a password: %j', async ([from = '', to = ''], why) => {
    const { code, stdout, stderr } = await aWorld().postern(['storage', 'copy', '--from', from, '--to', to]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain('s3cret');
  });

  it('reports an unreachable server, without the password', async () => {
    const world = await aFilledWorld();
    const argv = ['storage', 'copy', '--from', 'sqlite:data/postern.db', '--to', NOWHERE];
    const { code, stderr } = await world.postern(argv);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'postgres://ann:[redacted]@127.0.0.1:1/none cannot be opened: connect ECONNREFUSED',
    );
    expect(stderr).not.toContain('s3cret');
  });

  it('does not copy from a database that a service uses', async () => {
    const world = await aFilledWorld();
    using _service = lockDatabase(join(world.cwd, 'data/postern.db'));
    const argv = ['storage', 'copy', '--from', 'sqlite:data/postern.db', '--to', NOWHERE];
    const { code, stderr } = await world.postern(argv);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('another postern serves this database; stop it'),
    ]);
  });
});

describe('a database with part of a copy', () => {
  it('is refused by the service and every command: both name a remedy, doctor and verify too', async () => {
    const world = await aFilledWorld();
    const file = join(world.cwd, 'data/postern.db');
    {
      using database = new DatabaseSync(file);
      database.exec("INSERT INTO service_state VALUES ('unfinished_copy', 'postgres://h/d')");
    }
    const why = `it holds part of a copy of postgres://h/d: run the same "postern storage copy" again, which goes on where it was cut off; or drop the database`;
    const opened = openStorage({ url: file, directUrl: null, poolSize: 2 }, { durability: 'commit' });
    await expect(opened).rejects.toEqual(new StartupError([`storage.url: ${file}: ${why}`]));
    const listed = await world.postern(['accounts', 'list']);
    expect([listed.code, listed.stdout, listed.stderr]).toEqual([2, '', expect.stringContaining(why)]);
    for (const command of ['doctor', 'verify']) {
      const { findings } = (await world.postern([command, '--json'])).json();
      expect(findings).toContainEqual({ check: 'database', level: 'error', message: why, remedy: null });
    }
  });
});

describePostgres('storage copy with a server', (database) => {
  const clear = () => database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const secretsOf = () =>
    database.query("SELECT name, value FROM service_state WHERE name LIKE '%\\_secret'");

  it('copies everything to PostgreSQL and back, downloaded lists too, and shows the comparison', async () => {
    await clear();
    const world = await aFilledWorld();
    const list = setUpList(new DirectoryListStore(join(world.cwd, 'data')));
    for (const entries of [20, 21]) {
      list.serve(numbered(entries));
      await list.update();
    }
    const there = await world.postern([
      ...['storage', 'copy', '--from', 'sqlite:data/postern.db', '--to', database.url],
    ]);
    expect([there.code, there.stderr]).toEqual([0, '']);
    expect(there.stdout).toMatch(/^checks +30 +30 +[0-9a-f]{12}$/m);
    expect(there.stdout).toMatch(/^the hmac key is in the database$/m);
    expect(await secretsOf()).toEqual([{ name: 'hmac_secret', value: KEY.toString('base64') }]);
    expect(there.stdout).toMatch(/^downloaded lists +1 +1 +[0-9a-f]{12}$/m);
    expect(there.stdout).toMatch(/^postgres:\S+ has all \d+ rows, compared, after [\d.]+ s$/m);
    {
      await using kept = openPostgresListStore(database.url);
      const copied = (await kept.store.read()).lists[LIST];
      expect(copied?.snapshots).toMatchObject([{ entries: 21 }, { entries: 20 }]);
      expect(copied).toEqual(await list.list());
    }

    const back = await world.postern([
      ...['storage', 'copy', '--from', database.url, '--to', 'sqlite:back/postern.db', '--json'],
      ...['--data-dir', 'back'],
    ]);
    expect(back.code).toBe(0);
    expect(back.json()).toMatchObject({ is_same: true, resumed: false, seconds: expect.any(Number) });
    expect(back.json().tables).toContainEqual({
      ...{ name: 'checks', rows: 30, rows_in_target: 30 },
      ...{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), sha256_in_target: back.json().tables[2].sha256 },
    });
    const key = join(world.cwd, 'back/secrets/hmac.key');
    expect(back.json().secrets).toEqual([{ name: 'hmac', file: key, setting: null }]);
    expect([readFileSync(key), statSync(key).mode & 0o777]).toEqual([KEY, 0o600]);
    {
      // A backup of the file alone would otherwise contain the secret.
      using database = new DatabaseSync(join(world.cwd, 'back/postern.db'));
      expect(findState(database, 'hmac_secret')).toBeUndefined();
    }
    const page = readFileSync(join(packageRoot, 'docs/cli.md'), 'utf8');
    const example = JSON.parse(/^```json storage-copy\n(.+)\n```$/m.exec(page)?.[1] ?? '{}');
    expect(Object.keys(example)).toEqual(Object.keys(back.json()));
    expect(Object.keys(example.tables[0])).toEqual(Object.keys(back.json().tables[0]));
    expect(Object.keys(example.secrets[0])).toEqual(Object.keys(back.json().secrets[0]));
    const listBack = setUpList(new DirectoryListStore(join(world.cwd, 'back')));
    expect(await listBack.list()).toEqual(await list.list());
    listBack.serve(numbered(21));
    expect(await updateList(LIST, listBack.tools)).toMatchObject({ result: 'unchanged', entries: 21 });
    const shown = await world.postern(['checks', 'show', 'chk_000001', '--data-dir', 'back', '--json']);
    expect(shown.code).toBe(0);
  });

  it('copies back to SQLite; a later restore reports what it cannot carry over, and verify finds no fault', async () => {
    await clear();
    const world = await aFilledWorld();
    const log = new RevocationLog(join(world.cwd, 'data'));
    await log.begin();
    const before = (await log.read()).since;
    await world.postern(['backup', 'old.db']);
    const copy = ['storage', 'copy', '--from'];
    await world.postern([...copy, 'sqlite:data/postern.db', '--to', database.url]);
    // As `checks forget` does, of which PostgreSQL keeps no log.
    await database.query('DELETE FROM checks WHERE id = (SELECT min(id) FROM checks)');
    renameSync(join(world.cwd, 'data/postern.db'), join(world.cwd, 'moved.db'));
    const back = await world.postern([...copy, database.url, '--to', 'sqlite:data/postern.db']);
    expect([back.code, back.stderr]).toEqual([0, '']);

    const { entries, since } = await log.read();
    expect(entries.map(({ what }) => what)).toEqual(['log_begun', 'log_begun']);
    expect(Date.parse(String(since))).toBeGreaterThan(Date.parse(String(before)));
    const { findings } = (await world.postern(['verify', '--json'])).json();
    expect(findings).toContainEqual(expect.objectContaining({ check: 'usage', level: 'ok' }));
    const restored = await world.postern(['restore', 'old.db', '--overwrite', '--yes']);
    expect(restored.stderr).toContain(
      `revocations.log begins ${since}: what was revoked before, and after the backup, comes back`,
    );
  });

  it('resumes after it was killed, and ends with the same rows', async () => {
    await clear();
    const world = await aFilledWorld(3_000);
    const argv = ['storage', 'copy', '--from', 'sqlite:data/postern.db', '--to', database.url];
    const program = join(packageRoot, 'bin/postern.js');
    const child = spawn(process.execPath, [program, ...argv], { cwd: world.cwd, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const count = () =>
      database.query<{ found: string }>('SELECT count(*) AS found FROM checks').then(
        ([row]) => Number(row?.found),
        // Before its table exists.
        () => 0,
      );
    while (child.exitCode === null && (await count()) === 0);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    const before = await count();
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(3_000);

    const source = `sqlite:${join(world.cwd, 'data/postern.db')}`;
    const opened = openStorage({ url: database.url, directUrl: null, poolSize: 2 }, { durability: 'commit' });
    await expect(opened).rejects.toThrow(
      `it holds part of a copy of ${source}: run the same "postern storage`,
    );
    const env = { POSTERN__STORAGE__URL: database.url };
    const { findings } = (await world.postern(['doctor', '--json'], { env })).json();
    expect(findings).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: expect.stringContaining(`part of a copy of ${source}`),
      }),
    );

    const { code, stderr, json } = await world.postern([...argv, '--json']);
    expect([code, stderr]).toEqual([0, 'an earlier copy goes on where it was cut off\n']);
    expect(json()).toMatchObject({ is_same: true, resumed: true });
    expect(await count()).toBe(3_000);
    const again = await world.postern(argv);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('holds other data (accounts, ')]);
  });

  it('exits with 1 and names the differences where the source changed after it was interrupted', async () => {
    await clear();
    const world = await aFilledWorld();
    const argv = ['storage', 'copy', '--from', 'sqlite:data/postern.db', '--to', database.url];
    const file = join(world.cwd, 'data/postern.db');
    const change = (sql: string) => {
      using writer = new DatabaseSync(file);
      writer.exec(sql);
    };
    change("UPDATE people SET name = 'a' || char(0) WHERE id = 'per_bob'");
    const cut = await world.postern(argv);
    expect([cut.code, cut.stderr]).toEqual([
      2,
      expect.stringContaining('people: the row ["per_bob"] cannot be written: '),
    ]);
    change("UPDATE people SET name = 'bob' WHERE id = 'per_bob'; UPDATE usage SET checks = checks + 1");
    const { code, stdout } = await world.postern(argv);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^usage +\d +\d +differs$/m);
    expect(stdout).toContain('not the same: usage. One of the two was written to meanwhile');
  });

  it('keeps keys in the configured files, and names the setting that every instance needs', async () => {
    await clear();
    const world = await aFilledWorld();
    const file = join(world.cwd, 'etc/hmac.key');
    const argv = ['storage', 'copy', '--from', 'sqlite:data/postern.db', '--to', database.url];
    const env = { POSTERN__PRIVACY__HMAC_KEY_FILE: file };
    const missing = await world.postern(argv, { env });
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `postern.db was used with a key, and ${file} is not there: name the data directory of its service`,
      ),
    });
    await putSecret(file, KEY);
    const { code, stdout } = await world.postern(argv, { env });
    expect(code).toBe(0);
    expect(stdout).toContain(
      `the hmac key is in ${file}: set POSTERN__PRIVACY__HMAC_KEY_FILE=${file} (privacy.hmac_key_file) for every instance\n`,
    );
    expect(await secretsOf()).toEqual([]);
    // The command prints all settings that an instance needs.
    const postern = (given = {}) =>
      world.postern(['checks', 'forget', 'x@y.example'], {
        env: { POSTERN__STORAGE__URL: database.url, ...given },
      });
    expect((await postern(env)).stderr).toBe('');
    expect((await postern()).code).toBe(2);
  });

  it('copies only the key that the database was used with, and deletes none', async () => {
    await clear();
    const world = await aFilledWorld();
    const argv = ['storage', 'copy', '--from', 'sqlite:data/postern.db', '--to', database.url];
    const key = join(world.cwd, 'data/secrets/hmac.key');
    await putSecret(key, Buffer.alloc(32, 8));
    expect(await world.postern(argv)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`was used with a key, and ${key} is another key`),
    });
    await putSecret(key, KEY);
    expect((await world.postern(argv)).code).toBe(0);
    await putSecret(key, Buffer.alloc(32, 8));
    const back = ['storage', 'copy', '--from', database.url, '--to', 'sqlite:back.db'];
    expect(await world.postern(back)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/hmac\.key is another key than \S+ was used with: move it away/),
    });
    expect(readFileSync(key)).toEqual(Buffer.alloc(32, 8));
  });
});
