import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { chmod, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Makes a directory, and those above it that are missing, for the owner alone. */
export function makePrivateDirectory(path: string): void {
  makeDirectory(path, 0o700);
}

/**
 * As `makePrivateDirectory`, with any mode, less the umask. Makes the directories one by one: Node's own `recursive` loops for ever where
 * a file system refuses new names with ENOENT, as /proc does (24.21).
 */
export function makeDirectory(path: string, mode = 0o777): void {
  const wanted = [path];
  for (let above = dirname(path); !existsSync(above); above = dirname(above)) wanted.push(above);
  for (const directory of wanted.reverse()) {
    try {
      mkdirSync(directory, { mode });
    } catch (error) {
      // It was there, or another process that starts at the same time was first.
      if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}

/** Whether every user of the machine may write into a directory. False where the system has no such modes, as on Windows. */
export function isOpenToAll(path: string): boolean {
  return process.getuid !== undefined && (statSync(path).mode & 0o002) !== 0;
}

/** A name beside the file for its next text; hidden and without .yaml at its end: the rules directory does not take it for a rule file. */
export function draftOf(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}`);
}

/** Syncs the names in a directory to the disk: without it a power cut may lose a file that was just made or renamed. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path);
  await directory.sync();
}

/** Rules are for everyone on the machine to read. */
const READABLE = 0o644;

/**
 * Replaces the text of a file in one step, so that a reload in between reads either the old text or the new one. Keeps the
 * file's mode, and a link that leads to the file; `newMode` is the mode of a file that is not there yet.
 */
export async function replaceFile(path: string, text: string, newMode = READABLE): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (found) => found.mode & 0o7777,
    () => newMode,
  );
  const draft = draftOf(target);
  try {
    await writeFile(draft, text, { flag: 'wx', mode, flush: true });
    // writeFile applied the umask to the mode.
    await chmod(draft, mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
