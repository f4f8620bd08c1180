import { closeSync, existsSync, fstatSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { StartupError } from '../errors.ts';
import { Mutex } from '../lib/concurrency.ts';
import { messageOf } from '../lib/thrown.ts';
import { makePrivateDirectory } from './private-files.ts';
import { isBusy } from './sqlite/database.ts';

/**
 * Locks a file against every other process until the lock is disposed of; null while another process has it. The lock is
 * SQLite's own on an empty file, held by an open transaction, so that the operating system releases it however the process
 * ends. The file is made for the owner alone and stays. Throws what keeps it from being opened.
 */
export function lockFile(file: string): Disposable | null {
  closeSync(openSync(file, 'a', 0o600));
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/**
 * One service for a data directory and for a database, which may lie elsewhere: quota and rate limits count in the process.
 * Throws a StartupError while another holds one of them.
 */
export function lockData({
  dataDir,
  database,
}: {
  readonly dataDir: string;
  readonly database: string;
}): Disposable {
  using locks = new DisposableStack();
  locks.use(lockFor(dataDir, 'data directory', join(dataDir, 'serve.lock')));
  locks.use(lockDatabase(database));
  return locks.move();
}

/** For what is done to a database that no service may use meanwhile. Throws a StartupError while one does. */
export function lockDatabase(file: string): Disposable {
  // Where links lead to one database by several names, it has one lock.
  const target = existsSync(file) ? realpathSync(file) : file;
  return lockFor(file, 'database', `${target}.lock`);
}

function lockFor(path: string, what: string, file: string): Disposable {
  let lock: Disposable | null;
  try {
    makePrivateDirectory(dirname(file));
    lock = lockFile(file);
  } catch (error) {
    throw new StartupError([`${path}: the ${what} cannot be used: ${messageOf(error)}`]);
  }
  if (lock) return lock;
  throw new StartupError([`${path}: another postern serves this ${what}; stop it, or give this one its own`]);
}

/** Longer than many processes take that each edit a list of the largest size. */
const PATIENCE_MS = 10_000;
const BETWEEN_TRIES_MS = 20;

/** The file cannot be held: nothing was done. `cause` is what the system said, where it said something. */
export class FileNotHeld extends Error {
  override readonly name = 'FileNotHeld';
}

/** A second lock in this process would not be seen by the first, and could end it: POSIX locks belong to the process. */
const oneAtATime = new Mutex();

/**
 * Does `work` while no other process does any for one of these files: for what reads a file, edits it and replaces it. Each is
 * held by a hidden file beside what its path leads to, which is deleted afterwards; one that a killed process has left is no
 * obstacle. `work` must hold no file itself. Throws FileNotHeld. `pause` is what is done between two tries, for tests.
 */
export function whileHeld<Result>(
  paths: readonly string[],
  work: () => Promise<Result>,
  pause: () => Promise<unknown> = () => setTimeout(BETWEEN_TRIES_MS),
): Promise<Result> {
  return oneAtATime.run(async () => {
    const files = new Set(await Promise.all(paths.map(lockOf)));
    using locks = new DisposableStack();
    // Every process in the same order, or two could wait for each other.
    for (const file of [...files].sort()) locks.use(await hold(file, pause));
    return await work();
  });
}

/** Without .yaml at its end, so that the rules directory does not take it for a rule file. */
async function lockOf(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const target = await realpath(path).catch(() => join(folder, basename(path)));
  return join(dirname(target), `.${basename(target)}.lock`);
}

async function hold(file: string, pause: () => Promise<unknown>): Promise<Disposable> {
  for (let left = PATIENCE_MS / BETWEEN_TRIES_MS; left > 0; left--) {
    try {
      const lock = tryToHold(file);
      if (lock) return lock;
    } catch (error) {
      throw new FileNotHeld(messageOf(error), { cause: error });
    }
    await pause();
  }
  throw new FileNotHeld(`another process has held ${file} for ${PATIENCE_MS / 1000} seconds; try again`);
}

function tryToHold(file: string): Disposable | null {
  using held = new DisposableStack();
  // Closed last: until then no other file gets its inode's number, and to close it would release the lock.
  const descriptor = held.adopt(openSync(file, 'a', 0o600), closeSync);
  if (!held.use(lockFile(file))) return null;
  // The process that held it before has deleted it: another may hold a new file of this name by now.
  if (statSync(file, { throwIfNoEntry: false })?.ino !== fstatSync(descriptor).ino) return null;
  // Deleted while it is locked: afterwards it could be another process's.
  held.defer(() => rmSync(file, { force: true }));
  return held.move();
}
