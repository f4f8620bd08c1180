import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { link, open, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StartupError } from '../errors.ts';
import { makePrivateDirectory } from '../storage/private-directory.ts';

/** RFC 2104 3: a key no shorter than the hash's output, 32 octets for SHA-256. */
const KEY_BYTES = 32;

/**
 * The key under which addresses are hashed. Made at the first start; losing it makes recorded addresses
 * unfindable, so it belongs into the backup. Throws a StartupError when the file is too short or open to others.
 */
export async function loadHmacKey(file: string): Promise<KeyObject> {
  const existing = await read(file);
  if (existing) return existing;
  await create(file);
  const made = await read(file);
  if (!made) throw new StartupError([`privacy.hmac_key_file: ${file} vanished while it was being made`]);
  return made;
}

async function read(file: string): Promise<KeyObject | undefined> {
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(4, '0');
      throw new StartupError([
        `privacy.hmac_key_file: ${file} is open to others (mode ${octal}); chmod 600 it`,
      ]);
    }
    const handle = await open(file, 'r');
    try {
      const bytes = await handle.readFile();
      if (bytes.length < KEY_BYTES) {
        throw new StartupError([
          `privacy.hmac_key_file: ${file} has ${bytes.length} octets; a key needs at least ${KEY_BYTES}`,
        ]);
      }
      return createSecretKey(bytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new StartupError([`privacy.hmac_key_file: ${file} cannot be read (${codeOf(error)})`]);
  }
}

/** Appears whole or not at all, and only once: `link` fails where a file is already. */
async function create(file: string): Promise<void> {
  const folder = dirname(file);
  const draft = join(folder, `.${basename(file)}.${randomBytes(6).toString('hex')}`);
  try {
    makePrivateDirectory(folder);
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(randomBytes(KEY_BYTES));
      await handle.sync();
    } finally {
      await handle.close();
    }
    try {
      await link(draft, file);
    } finally {
      await unlink(draft);
    }
    await syncFolder(folder);
  } catch (error) {
    // Another process was first: its key is the one.
    if (codeOf(error) === 'EEXIST') return;
    throw new StartupError([`privacy.hmac_key_file: ${file} cannot be made (${codeOf(error)})`]);
  }
}

/** Makes the name durable too: a key that a power cut takes away would orphan every record made with it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
