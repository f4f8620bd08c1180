import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../app/config/config.ts';
import { StartupError } from '../errors.ts';
import { codeOf, orIfAbsent } from '../lib/thrown.ts';
import type { Storage } from './ports.ts';
import { draftOf, makePrivateDirectory, syncDirectory } from './private-files.ts';

type UsedWith = Pick<Storage, 'state' | 'checks' | 'jobLock'>;

/** The settings that name the files. Null where the secret is in the database, which instances share. */
export interface SecretFiles {
  readonly privacy: Pick<Config['privacy'], 'hmacKeyFile'>;
  readonly dashboard: Pick<Config['dashboard'], 'sessionKeyFile'>;
}

/** `state` and `made` name rows of `service_state`: the fingerprint, and the secret where no file holds it. `lost`: what replacing it does. */
export const SECRETS = {
  hmac: {
    state: 'hmac_key',
    made: 'hmac_secret',
    setting: 'privacy.hmac_key_file',
    replace: 'postern secrets replace hmac --forget-old-records',
    lost: 'erases every record, because none could be found by its address again',
  },
  session: {
    state: 'session_key',
    made: 'session_secret',
    setting: 'dashboard.session_key_file',
    replace: 'postern secrets replace session',
    lost: 'ends every session: all people must sign in again',
  },
} as const;

export type SecretName = keyof typeof SECRETS;
export const SECRET_NAMES = Object.keys(SECRETS) as readonly SecretName[];

export function secretFile(name: SecretName, { privacy, dashboard }: SecretFiles): string | null {
  return name === 'hmac' ? privacy.hmacKeyFile : dashboard.sessionKeyFile;
}

/**
 * Throws a StartupError where the database is missing though the session key is there: only a start puts that key into the data
 * directory, so the database was lost. The HMAC key proves nothing: an operator may have put it there before the first start.
 */
export function requireDatabaseOf(database: string, dataDir: string): void {
  const file = join(dataDir, 'secrets', 'session.key');
  if (existsSync(database) || !existsSync(file)) return;
  throw new StartupError([
    `storage.url: ${database} is missing, and ${file} tells of an earlier start: put the database back from a backup; or, to begin anew, move ${dirname(file)} away`,
  ]);
}

/**
 * The key under which addresses are hashed, and at least 32 octets that sign the sessions of the dashboard. Each is in a file for the
 * owner alone, or in the database, and is made at the first start; a file that several instances share (`isShared`) must be there. The
 * database keeps a fingerprint of each key: with another key no record would be found by its address, and `checks forget` would find
 * none. Rejects with a StartupError where a key with which the database was used is missing or is another one, and where a key file
 * is too short or open to others.
 */
export function openSecrets(files: SecretFiles, storage: UsedWith, isShared = false) {
  // Only one of several instances that start at once makes the keys.
  return storage.jobLock.runExclusive('secrets', async () => {
    const [hmacKey, sessionKey] = await StartupError.gather([
      openSecret('hmac', files, storage, isShared),
      openSecret('session', files, storage, isShared),
    ]);
    return { hmacKey: createSecretKey(hmacKey), sessionKey };
  });
}

type Found = Pick<UsedWith['state'], 'find'>;

/** The HMAC key. Undefined where there is none: it is never made here. Rejects with a StartupError where its fingerprint is another. */
export async function readHmacKey(files: SecretFiles, state: Found): Promise<KeyObject | undefined> {
  const bytes = await readKnown('hmac', files, state);
  return bytes && createSecretKey(bytes);
}

/** Compares the secrets that a start would find with their fingerprints. Rejects with a StartupError that lists the faults. */
export async function verifySecrets(files: SecretFiles, state: Found): Promise<void> {
  const verify = async (name: SecretName) => {
    const isThere = (await readKnown(name, files, state)) !== undefined;
    const known = await state.find(SECRETS[name].state);
    if (!isThere && known !== undefined) throw await missing(name, files, known);
  };
  await StartupError.gather([verify('hmac'), verify('session')]);
}

/** The secret, if there is one. Rejects where it is another one than the database was used with. */
async function readKnown(name: SecretName, files: SecretFiles, state: Found): Promise<Buffer | undefined> {
  const file = secretFile(name, files);
  let bytes: Buffer | undefined;
  if (file === null) {
    const text = await state.find(SECRETS[name].made);
    bytes = text === undefined ? undefined : Buffer.from(text, 'base64');
  } else bytes = await findSecret(name, file);
  const known = await state.find(SECRETS[name].state);
  if (bytes === undefined || known === undefined || fingerprintOf(bytes) === known) return bytes;
  const what = file ?? 'the one in the database';
  throw notTheOne(
    name,
    `${what} is another key than the database was used with: put the right one back`,
    await findReplaced(name, files, known),
  );
}

/** Where a restore or a replacement was cut short, the key of the database lies beside its file: its path. */
async function findReplaced(name: SecretName, files: SecretFiles, known: string | undefined) {
  const file = secretFile(name, files);
  if (file === null) return undefined;
  const found = await orIfAbsent(readdir(dirname(file)), []);
  for (const other of found.filter((entry) => entry.startsWith(basename(file) + REPLACED))) {
    const path = join(dirname(file), other);
    if (fingerprintOf(await readSecret(name, path)) === known) return path;
  }
  return undefined;
}

/**
 * Replaces a secret by a new one. An old file is kept under another name beside it; resolves to its new path, or null without one.
 * Rejects with a StartupError where the file cannot be made.
 */
export async function replaceSecret(
  name: SecretName,
  files: SecretFiles,
  { state }: Pick<UsedWith, 'state'>,
): Promise<string | null> {
  const file = secretFile(name, files);
  const kept = file === null ? null : await putSecret(file).catch(cannotBe('made', name, file));
  const bytes = file === null ? await makeInDatabase(name, state) : await readSecret(name, file);
  await state.keep(SECRETS[name].state, fingerprintOf(bytes));
  return kept;
}

const REPLACED = '.replaced-';

/** Writes a secret into its file. An old file is kept under another name beside it; resolves to its new path, or null without one. */
export async function putSecret(file: string, bytes?: Buffer): Promise<string | null> {
  const kept = existsSync(file) ? `${file}${REPLACED}${Date.now()}` : null;
  if (kept !== null) await rename(file, kept);
  await create(file, bytes);
  return kept;
}

async function makeInDatabase(name: SecretName, state: UsedWith['state']): Promise<Buffer> {
  const bytes = randomBytes(KEY_BYTES);
  await state.keep(SECRETS[name].made, bytes.toString('base64'));
  return bytes;
}

async function openSecret(
  name: SecretName,
  files: SecretFiles,
  { state, checks }: UsedWith,
  isShared: boolean,
): Promise<Buffer> {
  const known = await state.find(SECRETS[name].state);
  let bytes = await readKnown(name, files, state);
  // A database from before fingerprints has used its key where it has records.
  const isUsed = known !== undefined || (name === 'hmac' && (await checks.extent()).newest !== undefined);
  if (bytes === undefined && isUsed) throw await missing(name, files, known);
  const file = secretFile(name, files);
  if (file === null) bytes ??= await makeInDatabase(name, state);
  else bytes ??= await makeSecret(name, file, isShared);
  if (known === undefined) await state.keep(SECRETS[name].state, fingerprintOf(bytes));
  return bytes;
}

async function makeSecret(name: SecretName, file: string, isShared: boolean): Promise<Buffer> {
  const { setting } = SECRETS[name];
  if (isShared) {
    throw new StartupError([
      `${setting}: ${file} is missing, and every instance needs the same key: make it once (head -c 32 /dev/urandom), and put it there for each, for its user alone`,
    ]);
  }
  await create(file).catch(cannotBe('made', name, file));
  return await readSecret(name, file);
}

async function missing(
  name: SecretName,
  files: SecretFiles,
  known: string | undefined,
): Promise<StartupError> {
  const file = secretFile(name, files);
  return notTheOne(
    name,
    file === null
      ? 'is not set, and the database was used with a key of a file: name the file, put back'
      : `${file} is missing, and the database was used with it: put it back`,
    await findReplaced(name, files, known),
  );
}

function notTheOne(name: SecretName, what: string, from = 'a backup or another instance'): StartupError {
  const { setting, replace, lost } = SECRETS[name];
  return new StartupError([`${setting}: ${what} from ${from}; or run "${replace}", which ${lost}`]);
}

/** Tells nothing of the key, which is random. */
export function fingerprintOf(bytes: Buffer): string {
  return createHmac('sha256', bytes).update('fingerprint').digest('hex').slice(0, 32);
}

/** RFC 2104 3: a key no shorter than the hash's output, 32 octets for SHA-256. */
const KEY_BYTES = 32;

/** Throws a StartupError for whatever the system said of the file. */
function cannotBe(done: 'made' | 'read', name: SecretName, file: string) {
  return (error: unknown): never => {
    throw new StartupError([
      `${SECRETS[name].setting}: ${file} cannot be ${done} (${codeOf(error) ?? error})`,
    ]);
  };
}

/** As `readSecret`; undefined where there is no such file. A file that may not be looked at is not missing. */
export async function findSecret(name: SecretName, file: string): Promise<Buffer | undefined> {
  const isAbsent = (await stat(file).catch(codeOf)) === 'ENOENT';
  return isAbsent ? undefined : await readSecret(name, file);
}

export async function readSecret(name: SecretName, file: string): Promise<Buffer> {
  const fault = (problem: string) => new StartupError([`${SECRETS[name].setting}: ${file} ${problem}`]);
  const { mode, gid } = await stat(file).catch(cannotBe('read', name, file));
  // A secret of Kubernetes with `fsGroup` belongs to root, and to a group of the process, which may read it.
  const isOwnGroup = [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid);
  if ((mode & (isOwnGroup ? 0o037 : 0o077)) !== 0) {
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    throw fault(`is open to others (mode ${octal}); chmod 600 it`);
  }
  const bytes = await readFile(file).catch(cannotBe('read', name, file));
  if (bytes.length < KEY_BYTES) {
    throw fault(`has ${bytes.length} octets; a key needs at least ${KEY_BYTES}`);
  }
  return bytes;
}

/** Makes the file whole or not at all. `link` fails where another process was first: then that process's key stays. */
async function create(file: string, bytes: Buffer = randomBytes(KEY_BYTES)): Promise<void> {
  const folder = dirname(file);
  makePrivateDirectory(folder);
  const draft = draftOf(file);
  await writeFile(draft, bytes, { flag: 'wx', mode: 0o600, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  // A key that a power cut takes away would orphan every record made with it.
  await syncDirectory(folder);
}
