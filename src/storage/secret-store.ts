import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '../errors.ts';
import { codeOf } from '../lib/thrown.ts';
import { draftOf, makePrivateDirectory } from './private-files.ts';

/** What instances that share a storage must have in common and nothing else may know. Made at the first start. */
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
export function fileSecretStore(config: {
  readonly dataDir: string;
  readonly privacy: { readonly hmacKeyFile: string };
}): SecretStore {
  return {
    hmacKey: () => loadHmacKey(config.privacy.hmacKeyFile),
    sessionKey: () => loadSecret(join(config.dataDir, 'secrets', 'session.key'), 'the key of sessions'),
  };
}

/** See `SecretStore.hmacKey`. */
export async function loadHmacKey(file: string): Promise<KeyObject> {
  return createSecretKey(await loadSecret(file, 'privacy.hmac_key_file'));
}

/** RFC 2104 3: a key no shorter than the hash's output, 32 octets for SHA-256. */
const KEY_BYTES = 32;

/** The octets of a secret, made where there is none. `name` says in faults what it is. */
async function loadSecret(file: string, name: string): Promise<Buffer> {
  const fault = (problem: string) => new StartupError([`${name}: ${file} ${problem}`]);
  const cannotBe = (done: 'made' | 'read') => (error: unknown) => {
    throw fault(`cannot be ${done} (${codeOf(error) ?? error})`);
  };
  if (!existsSync(file)) await create(file).catch(cannotBe('made'));
  const { mode } = await stat(file).catch(cannotBe('read'));
  if ((mode & 0o077) !== 0) {
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    throw fault(`is open to others (mode ${octal}); chmod 600 it`);
  }
  const bytes = await readFile(file).catch(cannotBe('read'));
  if (bytes.length < KEY_BYTES) {
    throw fault(`has ${bytes.length} octets; a key needs at least ${KEY_BYTES}`);
  }
  return bytes;
}

/** The file appears whole or not at all, and only once: `link` fails where another process was first, whose key it is then. */
async function create(file: string): Promise<void> {
  const folder = dirname(file);
  makePrivateDirectory(folder);
  const draft = draftOf(file);
  await writeFile(draft, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  // Makes the name durable too: a key that a power cut takes away would orphan every record made with it.
  await using directory = await open(folder);
  await directory.sync();
}
