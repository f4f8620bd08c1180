import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { once } from '../../src/lib/concurrency.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { linkDependencies, packageCopy, run } from './package-copy.ts';

async function built(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const root = packageCopy(files);
  linkDependencies(root);
  expect(await build(root)).toBe(0);
  return root;
}

/** A built package to which tests apply changes: built once for all of them, and copied. */
async function builtBefore(): Promise<string> {
  const above = temporaryDirectory();
  copy(await template(), above);
  return join(above, 'package');
}
const kept = mkdtempSync(join(tmpdir(), 'postern-built-'));
afterAll(() => rmSync(kept, { recursive: true }));
const template = once(async () => {
  copy(dirname(await built()), kept);
  return kept;
});

/** With the times of folders, which show that something in them is new. */
const copy = (from: string, to: string) => execFileSync('cp', ['-pR', `${from}/.`, to]);

const build = (root: string, ...args: string[]) =>
  run(process.execPath, ['scripts/build.js', ...args], root).ended;

/** Whether `--if-stale` compiled: otherwise a removed file stays removed. */
async function rebuilds(root: string): Promise<boolean> {
  const witness = join(root, 'dist/src/cli/main.js');
  rmSync(witness);
  expect(await build(root, '--if-stale')).toBe(0);
  return existsSync(witness);
}

describe('scripts/build.js', () => {
  it('compiles sources and providers and copies the providers’ data', async () => {
    const root = await builtBefore();
    expect(existsSync(join(root, 'dist/src/cli/main.js'))).toBe(true);
    expect(existsSync(join(root, 'dist/providers/a-b/index.js'))).toBe(true);
    expect(readFileSync(join(root, 'dist/providers/a-b/data/list.txt'), 'utf8')).toBe('one\n');
  });

  it('bundles the dashboard, again when one of its sources is newer', async () => {
    const root = await built({ 'dashboard/index.html': '<!doctype html><title>One</title>\n' });
    const page = join(root, 'dashboard/dist/index.html');
    expect(readFileSync(page, 'utf8')).toContain('One');
    writeFileSync(join(root, 'dashboard/index.html'), '<!doctype html><title>Two</title>\n');
    touch(join(root, 'dashboard/index.html'));
    expect(await build(root, '--if-stale')).toBe(0);
    expect(readFileSync(page, 'utf8')).toContain('Two');
  });

  it('counts as stale after the dashboard could not be bundled, and reports why', async () => {
    const root = packageCopy({
      'dashboard/index.html': '<!doctype html><script type="module" src="./missing.ts"></script>\n',
    });
    linkDependencies(root);
    const failed = run(process.execPath, ['scripts/build.js'], root);
    expect(await failed.ended).toBe(1);
    expect(failed.text()).toContain('missing.ts');
    expect(await build(root, '--if-stale')).toBe(1);
  });

  it('removes output without a source', async () => {
    const root = await built({ 'src/gone.ts': 'export {};\n', 'providers/c-d/index.ts': 'export {};\n' });
    rmSync(join(root, 'src/gone.ts'));
    rmSync(join(root, 'providers/c-d'), { recursive: true });
    renameSync(join(root, 'providers/a-b/data/list.txt'), join(root, 'providers/a-b/data/new.txt'));
    expect(await build(root)).toBe(0);
    for (const name of [
      'src/gone.js',
      'src/gone.d.ts',
      'src/gone.js.map',
      'providers/c-d',
      'providers/a-b/data/list.txt',
    ]) {
      expect(existsSync(join(root, 'dist', name)), name).toBe(false);
    }
    expect(existsSync(join(root, 'dist/providers/a-b/data/new.txt'))).toBe(true);
  });

  it('does nothing with --if-stale while nothing changed', async () => {
    expect(await rebuilds(await builtBefore())).toBe(false);
  });

  it.each([
    ['a source is newer', (root: string) => touch(join(root, 'src/cli/main.ts'))],
    ['a provider’s data is newer', (root: string) => touch(join(root, 'providers/a-b/data/list.txt'))],
    ['the compiler’s settings are newer', (root: string) => touch(join(root, 'tsconfig.json'))],
    ['a source was added', (root: string) => writeFileSync(join(root, 'src/new.ts'), 'export {};\n')],
  ])('builds with --if-stale when %s', async (_, change) => {
    const root = await builtBefore();
    change(root);
    expect(await rebuilds(root)).toBe(true);
  });

  it('counts as stale after a failed build, and reports why', async () => {
    const root = await builtBefore();
    writeFileSync(join(root, 'src/wrong.ts'), 'export const n: number = "text";\n');
    const failed = run(process.execPath, ['scripts/build.js'], root);
    expect(await failed.ended).toBe(1);
    expect(failed.text()).toContain('src/wrong.ts');
    expect(await build(root, '--if-stale')).toBe(1);
  });

  it('says what is missing where there is no compiler', async () => {
    const root = packageCopy();
    const failed = run(process.execPath, ['scripts/build.js'], root);
    expect(await failed.ended).toBe(2);
    expect(failed.text()).toContain('npm ci');
  });
});

function touch(path: string): void {
  const later = new Date(Date.now() + 60_000);
  utimesSync(path, later, later);
}
