import { execSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRuleSources } from '../../src/checks/rules-directory.ts';
import { StartupError } from '../../src/errors.ts';
import { digestOf } from '../../src/rules/rule-files.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rules-'));
});
afterEach(() => rm(dir, { recursive: true }));

describe('reading a rules directory', () => {
  it('reads *.yaml and tests/*.yaml, and notes files with the other ending', async () => {
    await mkdir(join(dir, 'tests'));
    const names = ['b.yaml', 'a.yaml', 'c.yml', 'notes.md', '.hidden.yaml', 'tests/a.yaml'];
    for (const name of names) await writeFile(join(dir, name), `# ${name}`);
    const sources = await readRuleSources(dir);
    expect(Object.entries(sources.files)).toEqual([
      ['a.yaml', '# a.yaml'],
      ['b.yaml', '# b.yaml'],
      ['tests/a.yaml', '# tests/a.yaml'],
    ]);
    expect(sources.ignored).toEqual([join(dir, 'c.yml')]);
  });

  it('notes files that look like rules or lists and are not read', async () => {
    for (const folder of ['lists', 'eu', 'schema', 'docs']) await mkdir(join(dir, folder));
    const misplaced = [
      'MINE.YAML',
      'eu/a.yaml',
      'eu/b.yml',
      'lists/partners',
      'lists/partners.csv',
      'old.Yml',
    ];
    const others = [
      'docs/a.md',
      'eu/notes.md',
      'lists/.swp',
      'lists/README.md',
      'lists/a.txt~',
      'schema/a.json',
    ];
    for (const name of [...misplaced, ...others, 'lists/a.txt']) await writeFile(join(dir, name), '');
    const { files, ignored } = await readRuleSources(dir);
    expect(Object.keys(files)).toEqual(['lists/a.txt']);
    expect(ignored).toEqual(misplaced.map((name) => join(dir, name)));
  });

  // Like `lost+found` of a volume.
  it.skipIf(process.getuid?.() === 0)('ignores a folder that it may not read', async () => {
    await writeFile(join(dir, 'a.yaml'), '');
    await mkdir(join(dir, 'lost+found'), { mode: 0 });
    expect((await readRuleSources(dir)).ignored).toEqual([]);
  });

  it('names the directory that does not exist', async () => {
    const missing = join(dir, 'none');
    await expect(readRuleSources(missing)).rejects.toThrow(
      new StartupError([`rules directory ${missing}: cannot be read: there is none (ENOENT)`]),
    );
  });

  it('names the file that is not UTF-8', async () => {
    await writeFile(join(dir, 'a.yaml'), Uint8Array.of(0x67, 0xff));
    await expect(readRuleSources(dir)).rejects.toThrow(
      `${join(dir, 'a.yaml')}: cannot be read: it is not UTF-8`,
    );
  });

  it('names the file that cannot be read', async () => {
    await mkdir(join(dir, 'a.yaml'));
    await expect(readRuleSources(dir)).rejects.toThrow(
      `${join(dir, 'a.yaml')}: cannot be read: it is a directory (EISDIR)`,
    );
  });

  it.each(['mkfifo a.yaml', 'ln -s /dev/zero a.yaml', 'mkdir lists; mkfifo lists/a.txt'])(
    'does not block on what is not a regular file: %s',
    async (make) => {
      execSync(make, { cwd: dir });
      await expect(readRuleSources(dir)).rejects.toThrow('cannot be read: it is no file');
    },
  );
});

it('a digest changes with a text, a name and a folder, but not with the order of files', () => {
  const digests = [
    { 'a.yaml': 'x', 'b.yaml': 'y' },
    { 'b.yaml': 'y', 'a.yaml': 'x' },
    { 'a.yaml': 'y', 'b.yaml': 'x' },
    { 'a.yaml': 'x', 'tests/b.yaml': 'y' },
    { 'a.yaml': 'x' },
  ].map(digestOf);
  expect(digests[0]).toBe(digests[1]);
  expect(new Set(digests).size).toBe(4);
});
