import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockData } from '../../src/storage/file-lock.ts';
import { makePrivateDirectory } from '../../src/storage/private-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('makePrivateDirectory', () => {
  it('creates missing directories for the owner only, and does not change existing ones', () => {
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

  it('fails at once where the file system accepts no new names', () => {
    expect(() => makePrivateDirectory('/proc/postern/data')).toThrow('ENOENT');
  });
});

describe('lockData', () => {
  const inside = (dataDir: string) => ({ dataDir, database: join(dataDir, 'postern.db') });

  it('admits one service, and the next when that has ended', () => {
    const dataDir = join(temporaryDirectory(), 'data');
    const lock = lockData(inside(dataDir));
    expect(() => lockData(inside(dataDir))).toThrow('another postern serves this data directory');
    lock[Symbol.dispose]();
    lockData(inside(dataDir))[Symbol.dispose]();
    expect([mode(dataDir), mode(join(dataDir, 'serve.lock'))]).toEqual(['700', '600']);
  });

  it('admits one service to a database, through any data directory and link', () => {
    const root = temporaryDirectory();
    const database = join(root, 'shared', 'postern.db');
    makePrivateDirectory(join(root, 'shared'));
    writeFileSync(database, '');
    symlinkSync(database, join(root, 'link.db'));
    const lock = lockData({ dataDir: join(root, 'one'), database });
    for (const other of [database, join(root, 'link.db')]) {
      expect(() => lockData({ dataDir: join(root, 'two'), database: other })).toThrow(
        `${other}: another postern serves this database`,
      );
    }
    lock[Symbol.dispose]();
    // The refused start has released the second data directory.
    lockData({ dataDir: join(root, 'two'), database })[Symbol.dispose]();
  });

  it('reports why a directory cannot be used', () => {
    const file = join(temporaryDirectory(), 'data');
    writeFileSync(file, '');
    expect(() => lockData(inside(file))).toThrow(`${file}: the data directory cannot be used:`);
    const dataDir = temporaryDirectory();
    expect(() => lockData({ dataDir, database: join(file, 'some.db') })).toThrow(
      `${file}/some.db: the database cannot be used:`,
    );
  });
});
