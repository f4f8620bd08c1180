import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Checkpointer } from '../../src/storage/sqlite/checkpointer.ts';
import { openDatabase } from '../../src/storage/sqlite/open-database.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { checkOf } from './rows.ts';

const LOG_PAGES = 40;
const KB = 1_024;
const WORKER = new URL('../../src/storage/sqlite/checkpointer.worker.ts', import.meta.url);

/** Another one each time that the log begins anew (sqlite.org/fileformat2.html, 4.1). */
function saltOf(file: string): number {
  return readFileSync(`${file}-wal`).readUInt32BE(16);
}

/**
 * How many it took; a hundred on a machine that has time for the checkpointing thread. By itself SQLite would begin anew after
 * 256 MB, six thousand commits.
 */
async function recordUntilAnew(file: string, record: (amount: number) => Promise<void>): Promise<number> {
  const salt = saltOf(file);
  let recorded = 0;
  for (; saltOf(file) === salt && recorded < 5_000; recorded += 100) await record(100);
  expect(saltOf(file)).not.toBe(salt);
  return recorded;
}

/** Whether a descriptor, by its number, is one of the database's files. */
function isOf(file: string): (descriptor: string) => boolean {
  return (descriptor) => {
    const path = join('/proc/self/fd', descriptor);
    // Closed since, as the one of the directory is.
    return existsSync(path) && readlinkSync(path).startsWith(file);
  };
}

/** Whether a process holds a lock on it. */
function isLocked(file: string): boolean {
  return readFileSync('/proc/locks', 'latin1').includes(`:${statSync(file).ino} `);
}

async function openStorage() {
  const file = join(temporaryDirectory(), 'postern.db');
  const storage = await openSqliteStorage({ file, durability: 'commit', logPages: LOG_PAGES });
  onTestFinished(() => storage.close());
  let rows = 0;
  /** Each in a commit of its own. */
  const record = async (amount: number, addressHmac?: string) => {
    for (let n = 0; n < amount; n += 1) {
      rows += 1;
      await storage.checks.append(checkOf(`chk_${rows}`, addressHmac ? { address_hmac: addressHmac } : {}));
    }
  };
  return { file, storage, record, logSize: () => statSync(`${file}-wal`).size };
}

describe('the write-ahead log', () => {
  it('is moved into the database while commits go on, and begins anew', async () => {
    const { file, storage, record } = await openStorage();
    await record(1);
    const recorded = 1 + (await recordUntilAnew(file, record));
    expect(await storage.checks.count({ accountId: checkOf('').account_id })).toBe(recorded);
    await storage.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    const database = new DatabaseSync(file, { readOnly: true });
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
  });

  it('waits for a reader in another process, and no commit does', async () => {
    const { file, record, logSize } = await openStorage();
    await record(10);
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM checks').get();
    await record(300);
    expect(logSize()).toBeGreaterThan(5 * LOG_PAGES * 8 * KB);
    reader.exec('COMMIT');
    reader.close();
    await recordUntilAnew(file, record);
  });

  it('holds nothing of a person who is forgotten during a checkpoint', async () => {
    const { storage, record, logSize } = await openStorage();
    for (let round = 0; round < 10; round += 1) {
      await record(LOG_PAGES / 4, 'ab'.repeat(32));
      await storage.checks.forget({ addressHmac: 'ab'.repeat(32) });
      expect(logSize()).toBe(0);
    }
  });

  it.skipIf(!existsSync('/proc/locks'))(
    'costs the process no lock on the database when the writing thread falls after a checkpoint',
    async () => {
      const file = join(temporaryDirectory(), 'postern.db');
      const worker = new URL('./crashing.worker.ts', import.meta.url);
      const storage = await openSqliteStorage({ file, durability: 'commit', logPages: LOG_PAGES, worker });
      onTestFinished(() => storage.close());
      for (let n = 0; n < 100; n += 1) await storage.checks.append(checkOf(`chk_${n}`));
      expect(isLocked(file)).toBe(true);
      await expect(storage.checks.append(checkOf('chk_crash'))).rejects.toThrow();
      expect(isLocked(file)).toBe(true);
      await vi.waitFor(() => storage.checks.append(checkOf('chk_after')), 5_000);
      expect(isLocked(file)).toBe(true);
    },
  );

  it('stays where it is when the thread falls, and is tried again when as much has come', async () => {
    const file = join(temporaryDirectory(), 'postern.db');
    const database = openDatabase(file, 100);
    onTestFinished(() => database.close());
    database.exec('CREATE TABLE pages (text TEXT)');
    const look = database.prepare('PRAGMA wal_checkpoint(NOOP)');
    const commit = () => database.prepare('INSERT INTO pages VALUES (?)').run('x'.repeat(40_000));
    const worker = new URL('data:text/javascript,throw new Error("falls")');
    const checkpointer = new Checkpointer(database, { file, busyTimeoutMs: 100, logPages: 10, worker });
    commit();
    commit();
    checkpointer.checkpointWhenLong();
    expect(checkpointer.isUnderWay).toBe(true);
    await vi.waitFor(() => expect(checkpointer.isUnderWay).toBe(false));
    expect(checkpointer.wait()).toBe(true);
    checkpointer.checkpointWhenLong();
    expect(checkpointer.isUnderWay).toBe(false);
    commit();
    commit();
    checkpointer.checkpointWhenLong();
    expect(checkpointer.isUnderWay).toBe(true);
    expect(look.get()).toMatchObject({ checkpointed: 0 });
    await vi.waitFor(() => expect(checkpointer.isUnderWay).toBe(false));
    checkpointer.close();
  });

  it.each([
    [
      'is moved whole',
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => parentPort.postMessage('done'))",
      0,
    ],
    ['is given up when the thread falls', 'throw new Error("falls")', undefined],
  ])('%s after a transaction that is open when the thread ends its part', async (_case, code, left) => {
    const file = join(temporaryDirectory(), 'postern.db');
    const database = openDatabase(file, 100);
    onTestFinished(() => database.close());
    database.exec('CREATE TABLE pages (text TEXT)');
    const commit = () => database.prepare('INSERT INTO pages VALUES (?)').run('x'.repeat(40_000));
    const worker = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
    const checkpointer = new Checkpointer(database, { file, busyTimeoutMs: 100, logPages: 1, worker });
    onTestFinished(() => checkpointer.close());
    commit();
    checkpointer.checkpointWhenLong();
    database.exec('BEGIN IMMEDIATE');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(checkpointer.isUnderWay).toBe(true);
    database.exec('COMMIT');
    checkpointer.checkpointWhenLong();
    expect(checkpointer.isUnderWay).toBe(false);
    const { log, checkpointed } = database.prepare('PRAGMA wal_checkpoint(NOOP)').get() ?? {};
    expect(Number(log) - Number(checkpointed)).toBe(left ?? Number(log));
  });

  it('stays where it is when no thread can be had, and the commit stands', () => {
    const file = join(temporaryDirectory(), 'postern.db');
    const database = openDatabase(file, 100);
    onTestFinished(() => database.close());
    database.exec('CREATE TABLE pages (text TEXT)');
    const commit = () => database.prepare('INSERT INTO pages VALUES (?)').run('x'.repeat(40_000));
    // Refused by `new Worker` itself, as a thread beyond the limit of a container is.
    const worker = new URL('http://localhost/no-thread.js');
    const checkpointer = new Checkpointer(database, { file, busyTimeoutMs: 100, logPages: 1, worker });
    for (let n = 0; n < 2; n += 1) {
      commit();
      checkpointer.checkpointWhenLong();
      expect(checkpointer.isUnderWay).toBe(false);
      expect(checkpointer.wait()).toBe(true);
    }
    checkpointer.close();
  });

  it.skipIf(!existsSync('/proc/locks'))(
    'is moved by threads that end when there is nothing to do, and leave nothing open',
    async () => {
      const file = join(temporaryDirectory(), 'postern.db');
      const database = openDatabase(file, 100);
      onTestFinished(() => database.close());
      database.exec('CREATE TABLE pages (text TEXT)');
      const commit = () => database.prepare('INSERT INTO pages VALUES (?)').run('x'.repeat(40_000));
      const ended = `${file}.ended`;
      const worker = new URL(
        `data:text/javascript,${encodeURIComponent(`
          import { writeFileSync } from 'node:fs';
          process.on('exit', () => writeFileSync(${JSON.stringify(ended)}, ''));
          await import(${JSON.stringify(WORKER)});`)}`,
      );
      const descriptors = () => readdirSync('/proc/self/fd').filter(isOf(file)).length;
      const checkpointer = new Checkpointer(database, {
        file,
        busyTimeoutMs: 100,
        logPages: 1,
        idleMs: 300,
        worker,
      });
      onTestFinished(() => checkpointer.close());
      const open = [];
      for (let round = 0; round < 4; round += 1) {
        commit();
        checkpointer.checkpointWhenLong();
        await vi.waitFor(() => expect(checkpointer.isUnderWay).toBe(false), 5_000);
        const { log, checkpointed } = database.prepare('PRAGMA wal_checkpoint(NOOP)').get() ?? {};
        expect(checkpointed).toBe(log);
        await vi.waitFor(() => rmSync(ended), 5_000);
        open.push(descriptors());
        expect(isLocked(file)).toBe(true);
      }
      expect(open[3]).toBe(open[0]);
    },
  );

  it('is waited for in vain only once, and only so long, where a thread says nothing any more', async () => {
    const file = join(temporaryDirectory(), 'postern.db');
    const database = openDatabase(file, 100);
    onTestFinished(() => database.close());
    database.exec('CREATE TABLE pages (text TEXT)');
    database.prepare('INSERT INTO pages VALUES (?)').run('x'.repeat(40_000));
    const worker = new URL('data:text/javascript,setInterval(() => {}, 1000)');
    const checkpointer = new Checkpointer(database, { file, busyTimeoutMs: 100, logPages: 1, worker });
    checkpointer.checkpointWhenLong();
    expect(checkpointer.wait()).toBe(false);
    expect(checkpointer.wait()).toBe(true);
  });
});
