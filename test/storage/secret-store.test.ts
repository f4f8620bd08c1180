import { existsSync } from 'node:fs';
import { chmod, chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StartupError } from '../../src/errors.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { makePrivateDirectory } from '../../src/storage/private-files.ts';
import {
  openSecrets,
  readHmacKey,
  replaceSecret,
  requireDatabaseOf,
} from '../../src/storage/secret-store.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { checkOf } from './rows.ts';

let dataDir: string;
let file: string;
let database: string;
let storage: Storage;
const files = () => ({ dataDir, hmacKeyFile: file });
const openedKey = async () => (await openSecrets(files(), storage)).hmacKey;

beforeEach(async () => {
  dataDir = temporaryDirectory();
  file = join(dataDir, 'secrets', 'address.key');
  database = join(dataDir, 'postern.db');
  storage = await openSqliteStorage({ file: database, durability: 'commit' });
  onTestFinished(() => storage.close());
});

describe('openSecrets', () => {
  it('makes keys of 32 octets at the first start, for the owner alone', async () => {
    const { hmacKey, sessionKey } = await openSecrets(files(), storage);
    expect(hmacKey.export()).toEqual(await readFile(file));
    expect([hmacKey.symmetricKeySize, sessionKey.length]).toEqual([32, 32]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'secrets'))).mode & 0o777).toBe(0o700);
  });

  it('keeps the keys from then on', async () => {
    const first = await openSecrets(files(), storage);
    const second = await openSecrets(files(), storage);
    expect(second.hmacKey.equals(first.hmacKey)).toBe(true);
    expect(second.sessionKey).toEqual(first.sessionKey);
  });

  it('gives one and the same key to all who start at once, and leaves no draft behind', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, openedKey));
    expect(new Set(keys.map((key) => key.export().toString('hex'))).size).toBe(1);
    expect((await readdir(join(dataDir, 'secrets'))).sort()).toEqual(['address.key', 'session.key']);
  });

  it('takes a longer key that the operator made before the first start', async () => {
    await writePrivate(file, Buffer.alloc(64, 7));
    expect((await openedKey()).symmetricKeySize).toBe(64);
  });

  it.each([0, 31])('refuses a key of %i octets', async (length) => {
    await writePrivate(file, Buffer.alloc(length));
    await expect(openedKey()).rejects.toThrow(StartupError);
    await expect(openedKey()).rejects.toThrow(`${file} has ${length} octets`);
  });

  it('takes a key that a group of the process may read, as Kubernetes gives secrets with fsGroup', async () => {
    const key = await openedKey();
    await chmod(file, 0o440);
    expect((await openedKey()).equals(key)).toBe(true);
  });

  it('refuses a key that another group may read', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root gives files away');
    await openedKey();
    await chown(file, 0, 54_321);
    await chmod(file, 0o440);
    await expect(openedKey()).rejects.toThrow('is open to others (mode 0440)');
  });

  it.each([0o604, 0o620, 0o660, 0o444])('refuses a key that others may open (mode %o)', async (mode) => {
    await openedKey();
    await chmod(file, mode);
    await expect(openedKey()).rejects.toThrow('is open to others');
  });

  it('says that a path cannot be a key file', async () => {
    await writeFile(join(dataDir, 'plain'), '');
    file = join(dataDir, 'plain', 'address.key');
    await expect(openedKey()).rejects.toThrow(StartupError);
    file = dataDir;
    await expect(openedKey()).rejects.toThrow('cannot be read (EISDIR)');
  });
});

describe('a database that was used with its keys', () => {
  it('refuses others in their place, naming both, and makes none', async () => {
    await openedKey();
    await rm(file);
    await writePrivate(join(dataDir, 'secrets', 'session.key'), Buffer.alloc(32, 9));
    const fault = await openedKey().catch((error: StartupError) => error);
    expect(fault).toBeInstanceOf(StartupError);
    expect((fault as StartupError).faults).toEqual([
      expect.stringMatching(
        /^privacy\.hmac_key_file: .*address\.key is missing, .*put it back from a backup; or run "postern secrets replace hmac --forget-old-records", which erases every record/,
      ),
      expect.stringMatching(
        /^the key of sessions: .*session\.key is another key than .*"postern secrets replace session"/,
      ),
    ]);
    expect(existsSync(file)).toBe(false);
  });

  it('refuses another key of addresses to the commands as well', async () => {
    await openedKey();
    expect(await readHmacKey(files(), storage)).toBeDefined();
    await writePrivate(file, Buffer.alloc(32, 9));
    await expect(readHmacKey(files(), storage)).rejects.toThrow(
      'is another key than the database was used with',
    );
  });

  it('refuses a missing key also where it is of a version that kept no fingerprints, and has records', async () => {
    await storage.checks.append(checkOf('chk_1'));
    await expect(openedKey()).rejects.toThrow('address.key is missing');
  });

  it('takes the keys that are there where it is of such a version, and holds them from then on', async () => {
    await storage.checks.append(checkOf('chk_1'));
    await writePrivate(file, Buffer.alloc(32, 7));
    await openedKey();
    await writePrivate(file, Buffer.alloc(32, 9));
    await expect(openedKey()).rejects.toThrow('is another key');
  });

  it('takes a new key once it was replaced, and keeps the one that was there', async () => {
    const first = await openedKey();
    const kept = await replaceSecret('hmac', files(), storage);
    expect(await readFile(String(kept))).toEqual(first.export());
    const second = await openedKey();
    expect(second.equals(first)).toBe(false);
    await rm(file);
    expect(await replaceSecret('hmac', files(), storage)).toBeNull();
    expect((await openedKey()).equals(second)).toBe(false);
  });
});

describe('requireDatabaseOf', () => {
  it('tells a first start from a lost database by the key of sessions', async () => {
    const elsewhere = join(dataDir, 'elsewhere.db');
    await writePrivate(file, Buffer.alloc(32, 7));
    expect(() => requireDatabaseOf(elsewhere, files())).not.toThrow();
    await openedKey();
    expect(() => requireDatabaseOf(database, files())).not.toThrow();
    expect(() => requireDatabaseOf(elsewhere, files())).toThrow(
      /^storage\.url: .*elsewhere\.db is missing, and .*session\.key tells of an earlier start: put the database back/,
    );
  });
});

async function writePrivate(path: string, bytes: Buffer): Promise<void> {
  makePrivateDirectory(join(path, '..'));
  await writeFile(path, bytes, { mode: 0o600 });
}
