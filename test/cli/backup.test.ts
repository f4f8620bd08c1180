import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { openBackup } from '../../src/storage/sqlite/database-copy.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { checkOf } from '../storage/rows.ts';
import { aWorldWith } from './recorded-world.ts';
import { aWorld } from './world.ts';

const RECORD = { id: 'chk_1', canonical: 'jane@example.org' };

describe('postern backup', () => {
  it('writes one file that only its owner can read, which opens on its own and contains every record', async () => {
    const world = await aWorldWith(RECORD, { id: 'chk_2' });
    const { code, stdout, stderr } = await world.postern(['backup', 'b.db']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^b\.db has the database as it was at \S+Z: 1 MB, checked\nwithout its secrets/);
    const file = join(world.cwd, 'b.db');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const backup = new DatabaseSync(file, { readOnly: true });
    expect(backup.prepare('SELECT count(*) AS n FROM checks').get()).toEqual({ n: 2 });
    expect(readdirSync(world.cwd).filter((name) => name.includes('b.db'))).toEqual(['b.db']);
    backup.close();
  });

  it('is of one point in time, although checks are recorded while it is made', async () => {
    const world = await aWorldWith();
    const file = join(world.cwd, 'data/postern.db');
    const storage = await openSqliteStorage({ file, durability: 'commit' });
    // Many steps: outside of one transaction, SQLite would start again after each commit between two of them.
    for (let row = 0; row < 100; row += 1) {
      await storage.checks.append(checkOf(`chk_big_${row}`, { evidence: 'x'.repeat(1_000_000) }));
    }
    let number = 0;
    let isDone = false;
    onTestFinished(() => {
      isDone = true;
    });
    const record = async () => {
      while (!isDone)
        await storage.checks.append(checkOf(`chk_${number++}`, { evidence: 'x'.repeat(20_000) }));
    };
    const writers = [record(), record()];
    while (number < 500) await new Promise(setImmediate);
    const before = number;
    expect((await world.postern(['backup', 'b.db'])).code).toBe(0);
    const during = number - before;
    isDone = true;
    await Promise.all(writers);
    await storage.close();
    expect(during).toBeGreaterThan(2);
    const backup = new DatabaseSync(join(world.cwd, 'b.db'), { readOnly: true });
    const row = backup
      .prepare('SELECT (SELECT count(*) FROM checks) AS records, sum(checks) AS used FROM usage')
      .get();
    expect(Number(row?.records)).toBeGreaterThanOrEqual(100 + before - 2);
    expect(row?.records).toBe(row?.used);
    backup.close();
  });

  it('contains the keys of the installation only with the option, and always the log of revocations', async () => {
    const world = await aWorldWith(RECORD);
    await world.postern(['keys', 'revoke', 'key_1']);
    const plain = await world.postern(['backup', 'plain.db', '--json']);
    const [file, at] = [join(world.cwd, 'plain.db'), expect.any(String)];
    expect(plain.json()).toEqual({ file, created_at: at, bytes: statSync(file).size, with_secrets: false });
    await world.postern(['backup', 'whole.db', '--with-secrets']);
    const notesOf = (name: string) => {
      const { database, notes } = openBackup(join(world.cwd, name));
      database.close();
      return notes;
    };
    expect([...notesOf('plain.db').keys()].sort()).toEqual(['created_at', 'revocations']);
    expect(notesOf('plain.db').get('revocations')?.toString()).toContain('"what":"key_revoked","id":"key_1"');
    const key = readFileSync(join(world.cwd, 'data/secrets/hmac.key'));
    expect(readFileSync(file).includes(key)).toBe(false);
    expect(notesOf('whole.db').get('hmac')).toEqual(key);
    expect(notesOf('whole.db').get('session')).toEqual(
      readFileSync(join(world.cwd, 'data/secrets/session.key')),
    );
  });

  it('replaces a file only with the option, and the database never', async () => {
    const world = await aWorldWith();
    world.write('b.db', 'precious');
    const { code, stderr } = await world.postern(['backup', 'b.db']);
    expect([code, stderr]).toEqual([
      2,
      'postern: b.db is there already: give another name, or --overwrite\n',
    ]);
    expect(world.read('b.db')).toBe('precious');
    expect((await world.postern(['backup', 'b.db', '--overwrite'])).code).toBe(0);
    expect(world.read('b.db')).toMatch(/^SQLite format 3/);
    linkSync(join(world.cwd, 'data/postern.db'), join(world.cwd, 'same.db'));
    const itself = await world.postern(['backup', 'same.db', '--overwrite']);
    expect([itself.code, itself.stderr]).toEqual([2, 'postern: same.db is the database itself\n']);
    world.write('standby.db-wal', '');
    world.write('standby.db', '');
    mkdirSync(join(world.cwd, 'folder'));
    for (const name of ['standby.db', 'folder', '/dev/null']) {
      const refused = await world.postern(['backup', name, '--overwrite']);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        `postern: ${name} is no file, or a database in use: give another name\n`,
      ]);
    }
  });

  it('gives up, and leaves no file, where the log grows too long meanwhile', async () => {
    const world = await aWorldWith();
    const file = join(world.cwd, 'data/postern.db');
    const storage = await openSqliteStorage({ file, durability: 'commit' });
    const reader = new DatabaseSync(file);
    reader.exec('BEGIN; SELECT * FROM checks');
    await storage.checks.append(checkOf('chk_big', { evidence: 'x'.repeat(20_000_000) }));
    const { code, stderr } = await world.postern(['backup', 'b.db', '--max-log', '1']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^postern: b\.db cannot be written: its log has grown beyond 1 MB \(.*postern\.db-wal\): try .* --max-log\n$/,
    );
    expect(readdirSync(world.cwd).filter((name) => name.includes('b.db'))).toEqual([]);
    reader.close();
    await storage.close();
  });

  it('makes no copy of a damaged database', async () => {
    const world = await aWorldWith(RECORD);
    const file = join(world.cwd, 'data/postern.db');
    const database = new DatabaseSync(file);
    const { rootpage } =
      database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'usage'").get() ?? {};
    database.close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, (Number(rootpage) - 1) * 8_192, Number(rootpage) * 8_192);
    writeFileSync(file, bytes);
    const { code, stderr } = await world.postern(['backup', 'b.db']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^postern: b\.db cannot be written: the database is damaged \("postern verify"\): usage page/,
    );
    expect(existsSync(join(world.cwd, 'b.db'))).toBe(false);
  });

  // Only root can become another user, and file modes do not restrict root.
  it.runIf(process.getuid?.() === 0)(
    'copies a database in whose directory nothing can be written',
    async () => {
      const world = await aWorldWith(RECORD);
      const [uid, gid] = [65_534, 65_534];
      for (const path of ['.', 'data', 'data/postern.db', 'data/secrets'])
        chownSync(join(world.cwd, path), uid, gid);
      chmodSync(join(world.cwd, 'data'), 0o500);
      const postern = (...words: string[]) =>
        spawnSync(process.execPath, [join(packageRoot, 'bin/postern.js'), ...words], {
          ...{ uid, gid, cwd: world.cwd, encoding: 'utf8' },
        });
      expect(postern('backup', 'b.db').status).toBe(0);
      const { database } = openBackup(join(world.cwd, 'b.db'));
      expect(database.prepare('SELECT count(*) AS n FROM checks').get()).toEqual({ n: 1 });
      database.close();
      expect(postern('doctor').stdout).toMatch(/^error .*\/data cannot be written: EACCES.*a backup first$/m);
    },
  );

  it.each([
    ['there is no database', async () => aWorld(), 'there is no database at'],
    [
      'the folder is missing',
      async () => aWorldWith(),
      'no/where/b.db cannot be written: ENOENT: no such file or directory',
    ],
    [
      'the folder is a file',
      async () => {
        const world = await aWorldWith();
        mkdirSync(join(world.cwd, 'no'));
        writeFileSync(join(world.cwd, 'no/where'), '');
        return world;
      },
      'no/where/b.db cannot be written: ENOTDIR: not a directory',
    ],
    [
      'a secret cannot be read',
      async () => {
        const world = await aWorldWith();
        chmodSync(join(world.cwd, 'data/secrets/hmac.key'), 0o644);
        mkdirSync(join(world.cwd, 'no/where'), { recursive: true });
        return world;
      },
      'hmac.key is open to others (mode 0644); chmod 600 it',
    ],
  ])('reports what is wrong where %s', async (_case, make, words) => {
    const world = await make();
    const { code, stderr } = await world.postern(['backup', 'no/where/b.db', '--with-secrets']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
    expect(stderr).not.toContain('internal error');
  });

  it('exits as done, not by a signal, once the file is written', async () => {
    const world = await aWorldWith(RECORD);
    const host = Object.assign(new EventEmitter(), { exit: () => undefined });
    const making = world.postern(['backup', 'b.db'], { process: host });
    while (!existsSync(join(world.cwd, 'b.db'))) await new Promise(setImmediate);
    expect(host.listenerCount('SIGINT')).toBe(0);
    expect((await making).code).toBe(0);
  });

  it('leaves no file when a signal ends it', async () => {
    const world = await aWorldWith(RECORD);
    const ended: number[] = [];
    const host = Object.assign(new EventEmitter(), { exit: (code: number) => ended.push(code) });
    const making = world.postern(['backup', 'b.db'], { process: host });
    while (host.listenerCount('SIGINT') === 0) await new Promise(setImmediate);
    host.emit('SIGINT');
    expect(ended).toEqual([130]);
    await making;
    expect(readdirSync(world.cwd).filter((name) => name.startsWith('.b.db'))).toEqual([]);
    expect(host.listenerCount('SIGINT')).toBe(0);
  });
});
