import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { link, open, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StartupError } from '../errors.ts';
import { codeOf } from '../lib/thrown.ts';
import { makePrivateDirectory } from './private-files.ts';

/** What instances that share a storage must have in common and nobody else may know. Made at the first start. */
export interface SecretStore {
  /**
   * The key under which addresses are hashed. Losing it makes recorded addresses unfindable, so it belongs into the backup.
   * Rejects with a StartupError when it is too short, or open to others.
   */
  hmacKey(): Promise<KeyObject>;
  /** At least 32 octets that sign the sessions of the dashboard. Rejects as `hmacKey` does. */
  sessionKey(): Promise<Buffer>;
}

/** Two files for the owner alone. */
export class FileSecretStore implements SecretStore {
  readonly #config: SecretFiles;

  constructor(config: SecretFiles) {
    this.#config = config;
  }

  hmacKey(): Promise<KeyObject> {
    return loadHmacKey(this.#config.privacy.hmacKeyFile);
  }

  sessionKey(): Promise<Buffer> {
    return loadSecret(join(this.#config.dataDir, 'secrets', 'session.key'), 'the key of sessions');
  }
}

interface SecretFiles {
  readonly dataDir: string;
  readonly privacy: { readonly hmacKeyFile: string };
}

/** RFC 2104 3: a key no shorter than the hash's output, 32 octets for SHA-256. */
const KEY_BYTES = 32;

/**
 * The octets of a secret, made at the first start. `name` says in faults what it is. Throws a StartupError when the file
 * is too short or open to others.
 */
async function loadSecret(file: string, name: string): Promise<Buffer> {
  const existing = await read(file, name);
  if (existing) return existing;
  await create(file, name);
  const made = await read(file, name);
  if (!made) throw new StartupError([`${name}: ${file} vanished while it was being made`]);
  return made;
}

async function read(file: string, name: string): Promise<Buffer | undefined> {
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(4, '0');
      throw new StartupError([`${name}: ${file} is open to others (mode ${octal}); chmod 600 it`]);
    }
    const handle = await open(file, 'r');
    try {
      const bytes = await handle.readFile();
      if (bytes.length < KEY_BYTES) {
        throw new StartupError([
          `${name}: ${file} has ${bytes.length} octets; a key needs at least ${KEY_BYTES}`,
        ]);
      }
      return bytes;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new StartupError([`${name}: ${file} cannot be read (${codeOf(error) ?? error})`]);
  }
}

/** Appears whole or not at all, and only once: `link` fails where a file is already. */
async function create(file: string, name: string): Promise<void> {
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
    throw new StartupError([`${name}: ${file} cannot be made (${codeOf(error) ?? error})`]);
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

/** See `SecretStore.hmacKey`. */
export async function loadHmacKey(file: string): Promise<KeyObject> {
  return createSecretKey(await loadSecret(file, 'privacy.hmac_key_file'));
}
