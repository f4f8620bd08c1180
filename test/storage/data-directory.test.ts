import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockDataDirectory } from '../../src/storage/file-lock.ts';
import { makePrivateDirectory } from '../../src/storage/private-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('makePrivateDirectory', () => {
  it('makes what is missing for the owner alone, and leaves what is there as it is', () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, 'open'), { mode: 0o755 });
    makePrivateDirectory(join(root, 'open/a/b'));
    makePrivateDirectory(join(root, 'open/a/b'));
    expect(['open', 'open/a', 'open/a/b'].map((path) => mode(join(root, path)))).toEqual([
      '755',
      '700',
      '700',
    ]);
  });

  it('fails at once where the file system takes no new names', () => {
    expect(() => makePrivateDirectory('/proc/postern/data')).toThrow('ENOENT');
  });
});

describe('lockDataDirectory', () => {
  it('lets one service in, and the next when it has gone', () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const lock = lockDataDirectory(dataDir);
    expect(() => lockDataDirectory(dataDir)).toThrow('another postern serves this data directory');
    lock[Symbol.dispose]();
    lockDataDirectory(dataDir)[Symbol.dispose]();
    expect([mode(dataDir), mode(join(dataDir, 'serve.lock'))]).toEqual(['700', '600']);
  });

  it('says what is wrong with a directory that cannot be used', () => {
    const file = join(temporaryDirectory(), 'data');
    writeFileSync(file, '');
    expect(() => lockDataDirectory(file)).toThrow(`${file}: the data directory cannot be used:`);
  });
});
