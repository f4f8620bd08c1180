import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/lib/paths.ts';
import { KIT_VERSION } from '../../src/provider-kit/index.ts';

const KIT = join(packageRoot, 'provider-kit');
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const manifest = read(join(KIT, 'package.json'));
const service = read(join(packageRoot, 'package.json'));

it('has the version that the service requires of packages of providers', () => {
  expect(manifest.version).toBe(KIT_VERSION);
});

it('depends on the packages that its files import, in the versions of the service', () => {
  const files = globSync('dist/**/*.js', { cwd: KIT });
  const imported = files.flatMap((file) =>
    [...readFileSync(join(KIT, file), 'utf8').matchAll(/\bfrom '([^.'][^']*)'/g)].map(
      ([, name = '']) => name,
    ),
  );
  const names = new Set(
    imported.filter((name) => !name.startsWith('node:')).map((name) => name.split('/')[0] ?? ''),
  );
  // The test runner belongs to the author's package.
  expect(names.delete('vitest')).toBe(true);
  expect([...names].sort()).toEqual(Object.keys(manifest.dependencies));
  for (const [name, range] of Object.entries(manifest.dependencies))
    expect([name, range]).toEqual([name, service.dependencies[name]]);
});

it('has each entry of its exports, with types, and no file of the service that these do not need', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: KIT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const files: string[] = packed.files.map(({ path }: { path: string }) => path);
  for (const entry of ['.', './testing', './vitest'])
    for (const file of Object.values<string>(manifest.exports[entry])) expect(files).toContain(file.slice(2));
  expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'tables/mailbox-providers.yaml']));
  expect(files.filter((file) => /\/(net|storage|http|cli|app|rules)\//.test(file))).toEqual([]);
});

it('answers from its own tables where it is installed alone', async () => {
  const { anAddress } = await import(join(KIT, 'dist/provider-kit/testing/index.js'));
  expect(anAddress('J.Doe+x@googlemail.com').canonical.address).toBe('jdoe@gmail.com');
});
