import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
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
  type SecretFiles,
  verifySecrets,
} from '../../src/storage/secret-store.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { checkOf } from './rows.ts';

let dataDir: string;
let file: string;
let database: string;
let storage: Storage;
const filesOf = (hmacKeyFile: string | null, sessionKeyFile: string | null): SecretFiles => ({
  privacy: { hmacKeyFile },
  dashboard: { sessionKeyFile },
});
const files = () => filesOf(file, join(dataDir, 'secrets', 'session.key'));
const openedKey = async () => (await openSecrets(files(), storage)).hmacKey;

beforeEach(async () => {
  dataDir = temporaryDirectory();
  file = join(dataDir, 'secrets', 'address.key');
  database = join(dataDir, 'postern.db');
  storage = await openSqliteStorage({ file: database, durability: 'commit' });
  onTestFinished(() => storage.close());
});

describe('openSecrets', () => {
  it('makes keys of 32 bytes at the first start, readable by the owner only', async () => {
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

  it('gives the same key to all that start at once, and leaves no temporary file', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, openedKey));
    expect(new Set(keys.map((key) => key.export().toString('hex'))).size).toBe(1);
    expect((await readdir(join(dataDir, 'secrets'))).sort()).toEqual(['address.key', 'session.key']);
  });

  it('accepts a longer key that the operator made before the first start', async () => {
    await writePrivate(file, Buffer.alloc(64, 7));
    expect((await openedKey()).symmetricKeySize).toBe(64);
  });

  it.each([0, 31])('refuses a key of %i bytes', async (length) => {
    await writePrivate(file, Buffer.alloc(length));
    await expect(openedKey()).rejects.toThrow(StartupError);
    await expect(openedKey()).rejects.toThrow(`${file} has ${length} octets`);
  });

  it('accepts a key that a group of the process may read, as Kubernetes provides secrets with fsGroup', async () => {
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

  it.each([0o604, 0o620, 0o660, 0o444])('refuses a key that others may access (mode %o)', async (mode) => {
    await openedKey();
    await chmod(file, mode);
    await expect(openedKey()).rejects.toThrow('is open to others');
  });

  it('reports that a path cannot be a key file', async () => {
    await writeFile(join(dataDir, 'plain'), '');
    file = join(dataDir, 'plain', 'address.key');
    await expect(openedKey()).rejects.toThrow(StartupError);
    await expect(replaceSecret('hmac', files(), storage)).rejects.toThrow(StartupError);
    file = dataDir;
    await expect(openedKey()).rejects.toThrow('cannot be read (EISDIR)');
  });
});

describe('a key that is there and cannot be read', () => {
  beforeEach(async () => {
    await openedKey();
    await rm(file);
    // Refused to every user, as a directory of another user is to all but root.
    await symlink(file, file);
  });

  it('is not reported as missing, for which the remedy would be to erase all records', async () => {
    const fault = { faults: [`privacy.hmac_key_file: ${file} cannot be read (ELOOP)`] };
    await expect(openedKey()).rejects.toMatchObject(fault);
    await expect(readHmacKey(files(), storage.state)).rejects.toMatchObject(fault);
    await expect(verifySecrets(files(), storage.state)).rejects.toMatchObject(fault);
  });
});

describe('a database that was used with its keys', () => {
  it('refuses other keys, naming both, and makes none', async () => {
    await openedKey();
    await rm(file);
    await writePrivate(join(dataDir, 'secrets', 'session.key'), Buffer.alloc(32, 9));
    const fault = await openedKey().catch((error: StartupError) => error);
    expect(fault).toBeInstanceOf(StartupError);
    expect((fault as StartupError).faults).toEqual([
      expect.stringMatching(
        /^privacy\.hmac_key_file: .*address\.key is missing, .*put it back from a backup or another instance; or run "postern secrets replace hmac --forget-old-records", which erases every record/,
      ),
      expect.stringMatching(
        /^dashboard\.session_key_file: .*session\.key is another key than .*"postern secrets replace session", which ends every session/,
      ),
    ]);
    expect(existsSync(file)).toBe(false);
  });

  it('refuses another key of the address hashes in commands as well', async () => {
    await openedKey();
    expect(await readHmacKey(files(), storage.state)).toBeDefined();
    await writePrivate(file, Buffer.alloc(32, 9));
    await expect(readHmacKey(files(), storage.state)).rejects.toThrow(
      'is another key than the database was used with',
    );
  });

  it('refuses a missing key also where its version stored no fingerprints, and it has records', async () => {
    await storage.checks.append(checkOf('chk_1'));
    await expect(openedKey()).rejects.toThrow('address.key is missing');
  });

  it('accepts the present keys where its version stored no fingerprints, and requires them from then on', async () => {
    await storage.checks.append(checkOf('chk_1'));
    await writePrivate(file, Buffer.alloc(32, 7));
    await openedKey();
    await writePrivate(file, Buffer.alloc(32, 9));
    await expect(openedKey()).rejects.toThrow('is another key');
  });

  it('names the file of its key where a restore or a replacement was cut short after that was put aside', async () => {
    const first = await openedKey();
    const cutShort = { state: { ...storage.state, keep: () => Promise.reject(new Error('killed')) } };
    for (const said of ['is another key than the database was used with: put the right one', 'is missing']) {
      await expect(replaceSecret('hmac', files(), cutShort)).rejects.toThrow('killed');
      if (said === 'is missing') await rm(file);
      const aside = (await readdir(join(dataDir, 'secrets'))).filter((name) => name.includes('.replaced-'));
      const message = String(await openedKey().catch((error: StartupError) => error));
      expect(message).toContain(said);
      const named = aside.find((name) => message.includes(`back from ${join(dataDir, 'secrets', name)};`));
      expect(await readFile(join(dataDir, 'secrets', String(named)))).toEqual(first.export());
    }
  });

  it('accepts a new key once it was replaced, and keeps the previous one', async () => {
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

describe('a database that instances share', () => {
  const none = filesOf(null, null);
  const open = (files = none) => openSecrets(files, storage, true);

  it('stores keys that no file holds: ten that start at once have the same, from then on', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => open()));
    const keys = all.map(({ hmacKey, sessionKey }) => [
      hmacKey.export().toString('hex'),
      sessionKey.toString('hex'),
    ]);
    expect(new Set(keys.flat()).size).toBe(2);
    expect(await open()).toEqual(all[0]);
    expect((await readHmacKey(none, storage.state))?.equals(all[0]?.hmacKey as KeyObject)).toBe(true);
    expect(existsSync(join(dataDir, 'secrets'))).toBe(false);
  });

  it('refuses an instance with another key, and names the key', async () => {
    await writePrivate(file, Buffer.alloc(32, 7));
    await open(filesOf(file, null));
    await writePrivate(file, Buffer.alloc(32, 9));
    await expect(open(filesOf(file, null))).rejects.toThrow(
      /^privacy\.hmac_key_file: .*address\.key is another key than the database was used with: put the right one back from a backup or another instance/,
    );
    await expect(open()).rejects.toThrow(
      /^privacy\.hmac_key_file: is not set, and the database was used with a key of a file: name the file/,
    );
  });

  it('makes no file that would differ between instances', async () => {
    await expect(open(filesOf(null, file))).rejects.toThrow(
      /^dashboard\.session_key_file: .*address\.key is missing, and every instance needs the same key: make it once/,
    );
    expect(existsSync(file)).toBe(false);
  });

  it('accepts another key once it was replaced', async () => {
    const first = await open();
    expect(await replaceSecret('session', none, storage)).toBeNull();
    const second = await open();
    expect(second.sessionKey.equals(first.sessionKey)).toBe(false);
    expect(second.hmacKey.equals(first.hmacKey)).toBe(true);
  });
});

describe('requireDatabaseOf', () => {
  it('distinguishes a first start from a lost database by the session key', async () => {
    const elsewhere = join(dataDir, 'elsewhere.db');
    await writePrivate(file, Buffer.alloc(32, 7));
    expect(() => requireDatabaseOf(elsewhere, dataDir)).not.toThrow();
    await openedKey();
    expect(() => requireDatabaseOf(database, dataDir)).not.toThrow();
    expect(() => requireDatabaseOf(elsewhere, dataDir)).toThrow(
      /^storage\.url: .*elsewhere\.db is missing, and .*session\.key tells of an earlier start: put the database back/,
    );
  });
});

async function writePrivate(path: string, bytes: Buffer): Promise<void> {
  makePrivateDirectory(join(path, '..'));
  await writeFile(path, bytes, { mode: 0o600 });
}
