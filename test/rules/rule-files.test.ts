import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '../../src/errors.ts';
import { digestOf, filesOf, readRuleSources, sourcesOf } from '../../src/rules/rule-files.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rules-'));
});
afterEach(() => rm(dir, { recursive: true }));

describe('reading a rules directory', () => {
  it('takes *.yaml and tests/*.yaml, and notes what has the other ending', async () => {
    await mkdir(join(dir, 'tests'));
    const names = ['b.yaml', 'a.yaml', 'c.yml', 'notes.md', '.hidden.yaml', 'tests/a.yaml'];
    for (const name of names) await writeFile(join(dir, name), `# ${name}`);
    const sources = await readRuleSources(dir);
    expect(sources.rules.map(({ name, text }) => [name, text])).toEqual([
      ['a.yaml', '# a.yaml'],
      ['b.yaml', '# b.yaml'],
    ]);
    expect(sources.tests.map(({ file }) => file)).toEqual([join(dir, 'tests', 'a.yaml')]);
    expect(sources.ignored).toEqual([join(dir, 'c.yml')]);
  });

  it('names the directory that is not there', async () => {
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
    await expect(readRuleSources(dir)).rejects.toThrow(`${join(dir, 'a.yaml')}: cannot be read: EISDIR`);
  });
});

it('files that were read are the same sources again, wherever they are said to lie', async () => {
  const dir = temporaryDirectory();
  mkdirSync(join(dir, 'tests'));
  writeFileSync(join(dir, 'a.yaml'), 'a');
  writeFileSync(join(dir, 'tests/a.yaml'), 'test of a');
  const sources = await readRuleSources(dir);
  expect(filesOf(sources)).toEqual({ 'a.yaml': 'a', 'tests/a.yaml': 'test of a' });
  expect(sourcesOf(dir, filesOf(sources))).toEqual(sources);
  expect(sourcesOf('/old', filesOf(sources)).tests).toEqual([
    { file: '/old/tests/a.yaml', name: 'a.yaml', text: 'test of a' },
  ]);
});

it('a digest tells apart a text, a name and a folder, and not the order of files', () => {
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
