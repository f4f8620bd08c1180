import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StartupError } from '../../src/errors.ts';
import { loadHmacKey } from '../../src/storage/secret-store.ts';

describe('loadHmacKey', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postern-privacy-'));
    file = join(folder, 'secrets', 'address.key');
    onTestFinished(() => rm(folder, { recursive: true }));
  });

  it('makes a key of 32 octets at the first start, for the owner alone', async () => {
    const key = await loadHmacKey(file);
    expect(key.export()).toEqual(await readFile(file));
    expect(key.symmetricKeySize).toBe(32);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700);
  });

  it('keeps the key from then on', async () => {
    const first = await loadHmacKey(file);
    expect((await loadHmacKey(file)).equals(first)).toBe(true);
  });

  it('gives one and the same key to all who start at once, and leaves no draft behind', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => loadHmacKey(file)));
    expect(new Set(keys.map((key) => key.export().toString('hex'))).size).toBe(1);
    expect(await readdir(join(folder, 'secrets'))).toEqual(['address.key']);
  });

  it('takes a longer key that the operator made', async () => {
    await loadHmacKey(file);
    await writeFile(file, Buffer.alloc(64, 7));
    expect((await loadHmacKey(file)).symmetricKeySize).toBe(64);
  });

  it.each([0, 31])('refuses a key of %i octets', async (length) => {
    await loadHmacKey(file);
    await writeFile(file, Buffer.alloc(length));
    await expect(loadHmacKey(file)).rejects.toThrow(StartupError);
    await expect(loadHmacKey(file)).rejects.toThrow(`${file} has ${length} octets`);
  });

  it.each([0o640, 0o604, 0o620])('refuses a key that others may open (mode %o)', async (mode) => {
    await loadHmacKey(file);
    await chmod(file, mode);
    await expect(loadHmacKey(file)).rejects.toThrow('is open to others');
  });

  it('says that a path cannot be a key file', async () => {
    await writeFile(join(folder, 'plain'), '');
    await expect(loadHmacKey(join(folder, 'plain', 'address.key'))).rejects.toThrow(StartupError);
    await expect(loadHmacKey(folder)).rejects.toThrow('cannot be read (EISDIR)');
  });
});
