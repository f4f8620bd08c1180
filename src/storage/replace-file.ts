import { randomBytes } from 'node:crypto';
import { open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Rules are for everyone on the machine to read. */
const READABLE = 0o644;

/**
 * Puts the text in place of the file's in one step, so that a reload in between reads the old file or the
 * new one. The mode stays, and so does a link that led to the file; `newMode` is for one that is not there yet.
 */
export async function replaceFile(path: string, text: string, newMode = READABLE): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (found) => found.mode & 0o7777,
    () => newMode,
  );
  // Hidden and without .yaml at its end: the rules directory does not take it for a rule file.
  const draft = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
  const handle = await open(draft, 'wx', mode);
  try {
    try {
      // The umask has had its say in `open`.
      await handle.chmod(mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (error) {
    await unlink(draft);
    throw error;
  }
}
