import { join } from 'node:path';
import { StartupError } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';
import { type FileLock, lockFile } from './file-lock.ts';
import { makePrivateDirectory } from './private-directory.ts';

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
