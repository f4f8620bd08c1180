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
 * Locks a file against every other process until the lock is disposed of; null while another process has it. The lock is an open
 * SQLite transaction on an empty file, so that the operating system releases it however the process ends. The file is made for the
 * owner alone and stays. Throws where the file cannot be opened.
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
 * Lets only one service use a data directory and a database (which may lie elsewhere), because the process itself counts quota and
 * rate limits. Throws a StartupError while another process holds one of the two locks.
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

/** Keeps services from using a database during work on it. Throws a StartupError while a service uses it. */
export function lockDatabase(file: string): Disposable {
  // Several names (links) of one database share one lock.
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

/** The file cannot be locked: nothing was done. `cause` is the error of the system, where there was one. */
export class FileNotHeld extends Error {
  override readonly name = 'FileNotHeld';
}

/** POSIX locks belong to the process: two locks of one process do not exclude each other, and closing one could release the other. */
const oneAtATime = new Mutex();

/**
 * Does `work` while no other process works on one of these files: for reading a file, editing it and replacing it. A hidden lock file
 * beside each file (links resolved) is locked, and deleted afterwards; a lock file that a killed process has left does not block. `work`
 * must not call this function. Throws FileNotHeld. `pause` waits between two tries, for tests.
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

/** The lock file of a path. Not named .yaml at its end, so that the rules directory does not take it for a rule file. */
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
  // Closed last: while it is open no other file gets its inode number, and closing it earlier would release the lock.
  const descriptor = held.adopt(openSync(file, 'a', 0o600), closeSync);
  if (!held.use(lockFile(file))) return null;
  // False where the holder before has deleted the file that was just locked: another process may hold a new file of this name by now.
  if (statSync(file, { throwIfNoEntry: false })?.ino !== fstatSync(descriptor).ino) return null;
  // Deleted while it is locked: afterwards it could be another process's.
  held.defer(() => rmSync(file, { force: true }));
  return held.move();
}
