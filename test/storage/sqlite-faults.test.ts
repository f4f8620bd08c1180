import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freshKey } from '../../src/accounts/key.ts';
import { StartupError } from '../../src/errors.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { CHECK_COLUMNS } from '../../src/storage/shared/records-database.ts';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { MIGRATIONS, migrate } from '../../src/storage/sqlite/migrate.ts';
import { openSqliteStorage, type SqliteStorageOptions } from '../../src/storage/sqlite/sqlite-storage.ts';
import { Writer } from '../../src/storage/sqlite/writer.ts';
import { eventually } from '../support/eventually.ts';
import { makeFirstDatabase } from './first-database.ts';
import { accountOf, checkOf, keyOf, rowOf } from './rows.ts';

const AT = '2026-11-20T10:00:00.000Z';
const UNAVAILABLE = { code: 'unavailable', retryAfterMs: 1_000 };

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-sqlite-'));
  file = join(folder, 'postern.db');
  onTestFinished(() => rm(folder, { recursive: true }));
});

async function open(options: Partial<SqliteStorageOptions> = {}): Promise<Storage> {
  const storage = await openSqliteStorage({ file, durability: 'commit', ...options });
  onTestFinished(() => storage.close());
  return storage;
}

/** A connection of another process, from SQLite's point of view. */
function connect(): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  return database;
}

describe('a path that does not belong to Postern', () => {
  it('is not changed: the file of another program', async () => {
    await writeFile(file, 'notes of another program', { mode: 0o644 });
    await expect(open()).rejects.toThrow(
      'postern.db: cannot be opened as a database: file is not a database',
    );
    expect(await readFile(file, 'utf8')).toBe('notes of another program');
    expect((await stat(file)).mode & 0o777).toBe(0o644);
  });

  it('is not changed: not a regular file', async () => {
    execFileSync('mkfifo', ['-m', '644', file]);
    await expect(open()).rejects.toThrow('postern.db: cannot be opened as a database: it is no file');
    expect((await stat(file)).mode & 0o777).toBe(0o644);
  });

  it('is not changed: the database of another program', async () => {
    connect().exec('CREATE TABLE bookmarks (url TEXT)');
    await chmod(file, 0o644);
    const before = await readFile(file);
    await expect(open()).rejects.toThrow(
      'cannot be opened as a database: it is the database of another program, with the table bookmarks',
    );
    expect(await readFile(file)).toEqual(before);
    expect((await stat(file)).mode & 0o777).toBe(0o644);
    expect(await readdir(folder)).toEqual(['postern.db']);
  });

  it('is told in the fault alone, without a trace in the log', async () => {
    await writeFile(file, 'notes of another program');
    const logged: string[] = [];
    await expect(open({ log: pino({}, { write: (line) => logged.push(line) }) })).rejects.toThrow(
      StartupError,
    );
    expect(logged).toEqual([]);
  });
});

describe('the files', () => {
  it('are accessible to their owner only, the write-ahead log and its index too', async () => {
    file = join(folder, 'data', 'postern.db');
    const storage = await open();
    await storage.checks.append(checkOf('chk_1'));
    const names = await readdir(join(folder, 'data'));
    expect(names.toSorted()).toEqual(['postern.db', 'postern.db-shm', 'postern.db-wal']);
    for (const name of names) {
      expect((await stat(join(folder, 'data', name))).mode & 0o777, name).toBe(0o600);
    }
    expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
  });

  it('are closed to other users where they were open', async () => {
    await (await open()).close();
    await chmod(file, 0o644);
    await open();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('contain nothing of a forgotten person', async () => {
    const storage = await open();
    const address = 'Very.Unlikely.Name.4711@example.org';
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        storage.checks.append(
          checkOf(`chk_${index}`, { address, address_hmac: 'aa', evidence: address.repeat(200) }),
        ),
      ),
    );
    await storage.checks.append(checkOf('chk_stays'));
    const onDisk = async () =>
      (await Promise.all([file, `${file}-wal`].map((path) => readFile(path)))).join('');
    expect(await onDisk()).toContain('Unlikely');
    expect(await storage.checks.forget({ addressHmac: 'aa' })).toEqual({ checks: 200, labels: 0 });
    expect(await onDisk()).not.toContain('Unlikely');
    expect(await onDisk()).toContain('chk_stays');
  });

  it('are cleaned by the next deletion when a reader in another process delayed it', async () => {
    const logged: string[] = [];
    const storage = await open({ log: pino({}, { write: (line) => logged.push(line) }) });
    await storage.checks.append(checkOf('chk_1', { address: 'Unlikely@example.org', address_hmac: 'aa' }));
    const reader = connect();
    reader.exec('BEGIN; SELECT * FROM checks');
    expect(await storage.checks.forget({ addressHmac: 'aa' })).toEqual({ checks: 1, labels: 0 });
    expect(logged.join('')).toContain('while another process reads');
    reader.exec('COMMIT');
    await storage.checks.deleteBefore('2000-01-01T00:00:00.000Z');
    expect((await stat(`${file}-wal`)).size).toBe(0);
    expect(await readFile(file, 'latin1')).not.toContain('Unlikely');
  });
});

describe('a damaged page', () => {
  it.each([
    ['api_keys', 'api_keys'],
    ['api_keys', 'sqlite_autoindex_api_keys_2'],
    ['usage', 'usage'],
  ])('of %s (%s) makes the storage unready', async (_table, name) => {
    const storage = await open();
    await storage.accounts.create(accountOf('acc_1'));
    await storage.keys.create(keyOf(1));
    await storage.checks.append(checkOf('chk_1'));
    await storage.ping();
    await storage.close();
    const database = connect();
    const { rootpage } =
      database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) ?? {};
    const { page_size: size } = database.prepare('PRAGMA page_size').get() ?? {};
    const bytes = await readFile(file);
    bytes.fill(0xa5, (Number(rootpage) - 1) * Number(size), Number(rootpage) * Number(size));
    await writeFile(file, bytes);
    await expect((await open()).ping()).rejects.toThrow(/malformed/);
  });
});

describe('a connection', () => {
  it('syncs its log at each commit, overwrites deleted data, and enforces foreign keys', async () => {
    await open();
    const database = openDatabase(file, 100);
    onTestFinished(() => database.close());
    const setting = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(setting('journal_mode')).toBe('wal');
    // 2 is FULL: sqlite.org/pragma.html#pragma_synchronous.
    expect(setting('synchronous')).toBe(2);
    expect(setting('secure_delete')).toBe(1);
    expect(setting('foreign_keys')).toBe(1);
    // A long reader, such as a backup, makes the log grow: its space is released afterwards.
    expect(setting('journal_size_limit')).toBe(64_000_000);
  });
});

describe('the schema', () => {
  it('has exactly the columns of the contract, of challenger and shadow rules, and of the duration', async () => {
    await open();
    const columns = connect().prepare("SELECT name FROM pragma_table_info('checks')").all();
    expect(columns.map(({ name }) => name).join(' ')).toBe(
      'id created_at account_id key_id environment action risk_score risk_level ruleset facts unknown ' +
        'evidence ledger timings sources domain address_hmac address challenger shadow_rules duration_us',
    );
  });

  it('of a newer Postern is refused by name, and is not changed', async () => {
    await (await open()).close();
    const newer = connect();
    newer.exec("INSERT INTO migrations (name, timestamp) VALUES ('9999-from-the-future', '2030-01-01')");
    const opening = openSqliteStorage({ file, durability: 'commit' });
    await expect(opening).rejects.toThrow(StartupError);
    await expect(opening).rejects.toThrow('written by a newer Postern (migration 9999-from-the-future)');
    expect(newer.prepare('SELECT count(*) AS n FROM migrations').get()?.n).toBe(
      Object.keys(MIGRATIONS).length + 1,
    );
  });

  it('is made anew where a process was killed while it made the file', async () => {
    const killed = `${file}.killed`;
    const half = new DatabaseSync(killed);
    // So small a cache that pages are in the file before the commit.
    half.exec('PRAGMA cache_size=1; BEGIN; CREATE TABLE half (made TEXT)');
    const insert = half.prepare('INSERT INTO half (made) VALUES (?)');
    for (let row = 0; row < 1_000; row += 1) insert.run('x'.repeat(1_000));
    for (const end of ['', '-journal']) await copyFile(killed + end, file + end);
    half.close();
    const storage = await open();
    await storage.checks.append(checkOf('chk_1'));
    expect(connect().prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").get()).toBeUndefined();
  });

  it('is not opened while another process locks it, and reports that a later start may succeed', async () => {
    await (await open()).close();
    const other = connect();
    other.exec('BEGIN IMMEDIATE');
    await expect(open({ busyTimeoutMs: 50 })).rejects.toMatchObject({
      isTemporary: true,
      faults: [expect.stringMatching(/postern\.db: .*database is locked.*end the program/)],
    });
    other.exec('COMMIT');
    await open();
  });

  it('is not opened while it cannot be written, as on a full disk, and a start reports that a later one may succeed', async () => {
    await (await open()).close();
    // No file may have more than 4 kB: the index of SQLite's log does not fit.
    const bin = fileURLToPath(new URL('../../bin/postern.js', import.meta.url));
    const argv = [process.execPath, bin, 'serve', '--data-dir', folder];
    const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 8; exec "$0" "$@"', ...argv], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([75, expect.stringMatching(/cannot be opened as .*disk.*: free space/)]);
    await open();
  });

  it('is created once when many open a new database at the same time', async () => {
    const storages = await Promise.all(Array.from({ length: 5 }, () => open()));
    await storages[0]?.checks.append(checkOf('chk_1'));
    expect(await storages[4]?.checks.find('chk_1')).toBeDefined();
    const applied = connect().prepare('SELECT count(*) AS n FROM migrations').get()?.n;
    expect(applied).toBe(Object.keys(MIGRATIONS).length);
  });

  it('counts the usage of the checks that an older Postern recorded', async () => {
    using old = makeFirstDatabase(file);
    const later = new Set(['challenger', 'shadow_rules', 'duration_us']);
    const columns = CHECK_COLUMNS.filter((column) => !later.has(column));
    const insert = old.prepare(`INSERT INTO checks (${columns}) VALUES (${columns.map(() => '?')})`);
    for (const row of [
      checkOf('chk_1', { account_id: 'acc_1', environment: 'live', created_at: '2026-11-01T00:00:00.000Z' }),
      checkOf('chk_2', { account_id: 'acc_1', environment: 'live', created_at: '2026-11-30T00:00:00.000Z' }),
      checkOf('chk_3', { account_id: 'acc_1', environment: 'test', created_at: '2026-11-30T00:00:00.000Z' }),
    ]) {
      insert.run(...columns.map((column) => rowOf(row)[column]));
    }
    const storage = await open();
    expect([
      await storage.usage.read('acc_1', '2026-11'),
      await storage.usage.read('acc_1', '2026-10'),
    ]).toEqual([2, 0]);
    expect((await storage.checks.find('chk_1'))?.challenger).toBeNull();
  });

  it('keeps the keys of an older Postern without an expiry, each in a family of its own', async () => {
    using old = makeFirstDatabase(file);
    old.exec("INSERT INTO accounts VALUES ('acc_1', 'shop', '2026-11-20T10:00:00.000Z')");
    const insert = old.prepare(
      "INSERT INTO api_keys VALUES ('key_1', 'acc_1', 'live', NULL, 'pst_live_4f7q', ?, '2026-11-20T10:00:00.000Z', NULL, NULL)",
    );
    insert.run(new Uint8Array(32).fill(1));
    expect(await (await open()).keys.find('key_1')).toEqual(freshKey(keyOf(1)));
  });

  it('changes by all migrations or by none', async () => {
    await (await open()).close();
    const failing = {
      ...MIGRATIONS,
      '9999-half': (database: DatabaseSync) => {
        database.exec('CREATE TABLE half (id TEXT)');
        throw new Error('half way');
      },
    };
    await expect(migrate(file, failing)).rejects.toThrow('half way');
    const applied = connect().prepare('SELECT count(*) AS n FROM migrations').get()?.n;
    expect(applied).toBe(Object.keys(MIGRATIONS).length);
    expect(connect().prepare("SELECT 1 FROM sqlite_schema WHERE name = 'half'").get()).toBeUndefined();
    await open();
  });
});

describe('a database that cannot be opened', () => {
  it.each([
    ['a file that is no database', async () => writeFile(file, 'x'.repeat(5_000))],
    ['a folder', async () => void (await mkdir(file))],
  ])('is refused with its path: %s', async (_case, make) => {
    await make();
    const opening = openSqliteStorage({ file, durability: 'commit' });
    await expect(opening).rejects.toThrow(StartupError);
    await expect(opening).rejects.toThrow(file);
  });

  it.each(['', ':memory:'])('is an in-memory database: %j', async (memory) => {
    await expect(openSqliteStorage({ file: memory, durability: 'commit' })).rejects.toThrow(StartupError);
  });
});

/** Resolves when the writer runs again and has recorded a check with this id. */
async function untilUp(storage: Storage, id: string): Promise<void> {
  await eventually(() => storage.checks.append(checkOf(id)));
}

describe('a fault while serving', () => {
  it('answers 503 while the disk is full, and records again once there is space', async () => {
    const storage = await open({ maxPages: 64 });
    const big = 'x'.repeat(10_000);
    const old = { created_at: '2026-01-01T00:00:00.000Z', evidence: big };
    const recorded: string[] = [];
    const fill = async () => {
      for (let number = 0; ; number += 1) {
        await storage.checks.append(checkOf(`chk_${number}`, old));
        recorded.push(`chk_${number}`);
      }
    };
    await expect(fill()).rejects.toMatchObject(UNAVAILABLE);
    expect(recorded.length).toBeGreaterThan(5);
    await expect(storage.ping()).rejects.toThrow('could not be committed: database or disk is full');
    for (const id of recorded) expect(await storage.checks.find(id), id).toBeDefined();
    expect(await storage.checks.find(`chk_${recorded.length}`)).toBeUndefined();
    expect(await storage.checks.deleteBefore('2026-06-01T00:00:00.000Z')).toBe(recorded.length);
    await storage.checks.append(checkOf('chk_after', { evidence: big }));
    await storage.ping();
  });

  it('answers 503, and is not ready, while the file is deleted or moved, and records again when it is back', async () => {
    const storage = await open();
    await rename(file, `${file}.aside`);
    const why = { message: expect.stringContaining('postern.db was deleted, moved or replaced') };
    await expect(storage.ping()).rejects.toMatchObject(why);
    await expect(storage.checks.append(checkOf('chk_1'))).rejects.toMatchObject({
      ...UNAVAILABLE,
      cause: why,
    });
    await expect(storage.accounts.create(accountOf('acc_9'))).rejects.toMatchObject(UNAVAILABLE);
    await writeFile(file, 'another');
    await expect(storage.checks.append(checkOf('chk_1'))).rejects.toMatchObject(UNAVAILABLE);
    await rename(`${file}.aside`, file);
    await storage.checks.append(checkOf('chk_1'));
    await storage.ping();
  });

  it('answers 503 when another process locks the database too long', async () => {
    const storage = await open({ busyTimeoutMs: 50 });
    const other = connect();
    other.exec('BEGIN IMMEDIATE');
    const locked = { ...UNAVAILABLE, cause: { message: 'database is locked' } };
    await expect(storage.checks.append(checkOf('chk_1'))).rejects.toMatchObject(locked);
    await expect(storage.accounts.create(accountOf('acc_1'))).rejects.toMatchObject(locked);
    other.exec('COMMIT');
    await storage.checks.append(checkOf('chk_1'));
    await storage.accounts.create(accountOf('acc_1'));
  });

  it('stores labels although others hold the database lock at some attempts, and answers 503 in the end', async () => {
    const storage = await open({ busyTimeoutMs: 50 });
    await storage.accounts.create(accountOf('acc_1'));
    const put = () =>
      storage.labels.put(
        'acc_1',
        [{ subject: { addressHmac: 'aa' }, label: 'bad', source: 'team', author: null, labelledAt: AT }],
        AT,
      );
    const other = connect();
    other.exec('BEGIN IMMEDIATE');
    await expect(put()).rejects.toMatchObject(UNAVAILABLE);
    const tried = vi.spyOn(Writer.prototype, 'begin');
    onTestFinished(() => tried.mockRestore());
    const storing = put();
    await eventually(() => expect(tried.mock.calls.length).toBeGreaterThan(2));
    other.exec('COMMIT');
    expect(await storing).toMatchObject({ added: 1 });
  });

  it('answers 503 to a whole batch when the disk is full before its last row', async () => {
    const storage = await open({ maxPages: 128 });
    const big = 'x'.repeat(100_000);
    const together = Array.from({ length: 40 }, (_, index) =>
      storage.checks.append(checkOf(`chk_${index}`, { evidence: index === 5 ? big.repeat(20) : '{}' })),
    );
    for (const append of together) await expect(append).rejects.toMatchObject(UNAVAILABLE);
    expect(await storage.checks.count({})).toBe(0);
    expect(await storage.usage.read('acc_1', '2026-11')).toBe(0);
    await storage.checks.append(checkOf('chk_after'));
    expect(await storage.checks.count({})).toBe(1);
    expect(await storage.usage.read('acc_1', '2026-11')).toBe(1);
  });

  it('records a whole batch except its invalid rows', async () => {
    const storage = await open();
    await storage.checks.append(checkOf('chk_there'));
    const atFault = [3, 20, 39];
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        storage.checks.append(checkOf(atFault.includes(index) ? 'chk_there' : `chk_${index}`)),
      ),
    );
    const rejected = results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
    expect(rejected).toEqual(atFault);
    expect(await storage.checks.count({})).toBe(38);
    expect(await storage.usage.read('acc_1', '2026-11')).toBe(38);
  });

  it('leaves no transaction open after a failed batch', async () => {
    const storage = await open();
    const other = connect();
    other.exec('ALTER TABLE checks RENAME TO elsewhere');
    await expect(storage.checks.append(checkOf('chk_1'))).rejects.toMatchObject(UNAVAILABLE);
    other.exec('ALTER TABLE elsewhere RENAME TO checks');
    await storage.checks.append(checkOf('chk_1'));
  });

  it('answers 503 at once when the queue is full, and records all that was accepted', async () => {
    const storage = await open({ queueCapacity: 3 });
    const other = connect();
    other.exec('BEGIN IMMEDIATE');
    const taken = ['chk_1', 'chk_2', 'chk_3'].map((id) => storage.checks.append(checkOf(id)));
    await expect(storage.checks.append(checkOf('chk_4'))).rejects.toMatchObject(UNAVAILABLE);
    other.exec('COMMIT');
    await Promise.all(taken);
    expect(await storage.checks.find('chk_3')).toBeDefined();
    expect(await storage.checks.find('chk_4')).toBeUndefined();
  });

  it('keeps the event loop free while a commit waits', async () => {
    const storage = await open();
    const other = connect();
    other.exec('BEGIN IMMEDIATE');
    const append = storage.checks.append(checkOf('chk_1'));
    let turns = 0;
    // If the main thread waited, it could not run these, nor release the lock after them.
    while (turns < 1_000) turns += await new Promise<number>((resolve) => setImmediate(resolve, 1));
    expect(await storage.checks.find('chk_1')).toBeUndefined();
    other.exec('COMMIT');
    await append;
  });

  it('rejects what a crashed writer was writing, and records again when it is restarted', async () => {
    const logged: string[] = [];
    const worker = new URL('./crashing.worker.ts', import.meta.url);
    const storage = await open({ worker, log: pino({}, { write: (line) => logged.push(line) }) });
    const doomed = ['chk_crash', 'chk_neighbour'].map((id) => storage.checks.append(checkOf(id)));
    for (const append of doomed) await expect(append).rejects.toMatchObject(UNAVAILABLE);
    await expect(storage.ping()).rejects.toThrow('the writing thread is down');
    await expect(storage.checks.append(checkOf('chk_early'))).rejects.toMatchObject(UNAVAILABLE);
    await untilUp(storage, 'chk_late');
    await storage.ping();
    for (const id of ['chk_crash', 'chk_neighbour', 'chk_early']) {
      expect(await storage.checks.find(id), id).toBeUndefined();
    }
    expect(logged.join('')).toContain('the writing thread fell');
    expect(logged.join('')).toContain('the writing thread is up again');
  });

  it('records no row of a batch in which the writer crashes', async () => {
    const storage = await open({ worker: new URL('./crashing.worker.ts', import.meta.url) });
    const together = Array.from({ length: 40 }, (_, index) =>
      storage.checks.append(checkOf(index === 2 ? 'chk_crash' : `chk_${index}`)),
    );
    for (const append of together) await expect(append).rejects.toMatchObject(UNAVAILABLE);
    await untilUp(storage, 'chk_late');
    expect(await storage.checks.count({})).toBe(1);
  });

  it('restarts its writer after any number of crashes', async () => {
    const storage = await open({ worker: new URL('./crashing.worker.ts', import.meta.url) });
    for (let fall = 0; fall < 3; fall += 1) {
      await untilUp(storage, `chk_up_${fall}`);
      await expect(storage.checks.append(checkOf('chk_crash'))).rejects.toMatchObject(UNAVAILABLE);
    }
    await storage.close();
  });

  it('closes while its writer is down', async () => {
    const storage = await open({ worker: new URL('./crashing.worker.ts', import.meta.url) });
    await expect(storage.checks.append(checkOf('chk_crash'))).rejects.toMatchObject(UNAVAILABLE);
    await storage.close();
  });
});

describe('kill -9 under load', () => {
  it('loses no check whose append has resolved', async () => {
    const script = fileURLToPath(new URL('./append-under-load.ts', import.meta.url));
    const acknowledged: string[] = [];
    for (const round of [1, 2, 3]) {
      const child = spawn(process.execPath, [script, file, String(round)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const enough = round * 300;
      let lines = 0;
      createInterface({ input: child.stdout }).on('line', (id) => {
        acknowledged.push(id);
        lines += 1;
        if (lines === enough) child.kill('SIGKILL');
      });
      const [, signal] = await once(child, 'close');
      expect(signal).toBe('SIGKILL');
      expect(lines).toBeGreaterThanOrEqual(enough);
    }
    const { checks } = await open();
    for (const id of acknowledged) expect(await checks.find(id), id).toBeDefined();
  });
});
