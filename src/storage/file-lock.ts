import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { StartupError } from '../errors.ts';
import { Mutex } from '../lib/concurrency.ts';
import { messageOf } from '../lib/thrown.ts';
import { makePrivateDirectory } from './private-files.ts';
import { isBusy } from './sqlite/database.ts';

export interface FileLock {
  release(): void;
}

/**
 * Holds a file against every other process; null while another holds it. The lock is SQLite's own on an empty file,
 * held by an open transaction, so that the operating system lets go of it however the process ends. The file is
 * made for the owner alone and stays. Throws what keeps it from being opened.
 */
export function lockFile(file: string): FileLock | null {
  let database: DatabaseSync | undefined;
  try {
    closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/** One service for a data directory: quota and rate limits count in the process. Throws a StartupError while another holds it. */
export function lockDataDirectory(dataDir: string): FileLock {
  let lock: FileLock | null;
  try {
    makePrivateDirectory(dataDir);
    lock = lockFile(join(dataDir, 'serve.lock'));
  } catch (error) {
    const reason = messageOf(error);
    throw new StartupError([`${dataDir}: the data directory cannot be used: ${reason}`]);
  }
  if (lock) return lock;
  throw new StartupError([
    `${dataDir}: another postern serves this data directory; stop it, or give this one its own --data-dir`,
  ]);
}

/** Longer than many processes take that each edit a list of the largest size. */
const PATIENCE_MS = 10_000;
const BETWEEN_TRIES_MS = 20;

/** The file cannot be held: nothing was done. `cause` is what the system said, where it said something. */
export class FileNotHeld extends Error {
  override readonly name = 'FileNotHeld';
}

/** A second lock in this process would not be seen by the first, and could cost it its hold: POSIX locks are the process's. */
const turns = new Mutex();

/**
 * Does `work` where nobody else does any for one of these files: for what reads a file, edits it and replaces it. Each is held by
 * a hidden file beside what its path leads to, which is gone afterwards; one that a killed process has left holds nobody up.
 * `work` must hold no file itself. Throws FileNotHeld. `pause` is what is done between two tries, for tests.
 */
export function whileHeld<Result>(
  paths: readonly string[],
  work: () => Promise<Result>,
  pause: () => Promise<unknown> = () => setTimeout(BETWEEN_TRIES_MS),
): Promise<Result> {
  return turns.run(async () => {
    const files = new Set(await Promise.all(paths.map(lockOf)));
    const locks: FileLock[] = [];
    try {
      // Everybody in the same order, or two could wait for each other.
      for (const file of [...files].sort()) locks.push(await hold(file, pause));
      return await work();
    } finally {
      for (const lock of locks.reverse()) lock.release();
    }
  });
}

/** Without .yaml at its end, so that the rules directory does not take it for a rule file. */
async function lockOf(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const target = await realpath(path).catch(() => join(folder, basename(path)));
  return join(dirname(target), `.${basename(target)}.lock`);
}

async function hold(file: string, pause: () => Promise<unknown>): Promise<FileLock> {
  for (let left = PATIENCE_MS / BETWEEN_TRIES_MS; left > 0; left--) {
    const lock = tryToHold(file);
    if (lock) return lock;
    await pause();
  }
  throw new FileNotHeld(`another process has held ${file} for ${PATIENCE_MS / 1000} seconds; try again`);
}

function tryToHold(file: string): FileLock | null {
  let descriptor: number | undefined;
  let lock: FileLock | null = null;
  try {
    // Open to the end: meanwhile no other file gets its number, and to close it would let go of the lock.
    descriptor = openSync(file, 'a', 0o600);
    lock = lockFile(file);
    if (lock && isStillThere(descriptor, file)) return removing(file, lock, descriptor);
  } catch (error) {
    letGo(lock, descriptor);
    throw new FileNotHeld(messageOf(error), { cause: error });
  }
  letGo(lock, descriptor);
  return null;
}

/** Whoever held it before has taken it away with it: another may hold the next one by now. */
function isStillThere(descriptor: number, file: string): boolean {
  const there = statSync(file, { throwIfNoEntry: false });
  return there !== undefined && there.ino === fstatSync(descriptor).ino;
}

function removing(file: string, lock: FileLock, descriptor: number): FileLock {
  return {
    release() {
      try {
        // While it is held: afterwards it could be another's.
        rmSync(file, { force: true });
      } catch {
        // It lies about, and holds nobody up.
      }
      letGo(lock, descriptor);
    },
  };
}

function letGo(lock: FileLock | null, descriptor: number | undefined): void {
  lock?.release();
  if (descriptor !== undefined) closeSync(descriptor);
}
