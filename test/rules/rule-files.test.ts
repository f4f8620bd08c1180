import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { digestOf, filesOf, sourcesOf } from '../../src/rules/rule-files.ts';
import { readRuleSources } from '../../src/rules/rule-sources.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

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
