import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { discoverProviders } from '../../src/signals/discover-providers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const DECLARATION = `
import { defineProvider, unknown } from '@postern/provider-kit';
import { WORD } from 'a-dependency';
export default defineProvider({
  id: 'my_signal', apiVersion: 1, description: WORD, stage: 'local',
  facts: [{ id: 'my_signal.seen', type: 'boolean', description: 'Yes.', example: true }],
  check: () => unknown('not_run'),
});`;

/** A package as npm installs it, with one of its own dependencies below it; with the given files in place of these. */
function installed(files: Readonly<Record<string, string | null>> = {}, name = 'postern-provider-my-signal') {
  const directory = temporaryDirectory();
  const all: Readonly<Record<string, string | null>> = {
    'package.json': JSON.stringify({
      name,
      type: 'module',
      exports: { '.': { import: './lib/entry.js' } },
      peerDependencies: { '@postern/provider-kit': '^0.1.0' },
    }),
    'lib/entry.js': DECLARATION,
    'node_modules/a-dependency/package.json': '{"name":"a-dependency","type":"module","exports":"./main.js"}',
    'node_modules/a-dependency/main.js': "export const WORD = 'Of a package.';",
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    if (text === null) continue;
    const file = join(directory, 'node_modules', name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return directory;
}

const load = async (directory: string, ...packages: string[]) =>
  (await discoverProviders({ enabled: [], paths: [], packages, packagesFrom: directory })).enabled;
const NAME = 'postern-provider-my-signal';
const LOAD_PROVIDER = new URL('../../src/signals/load-provider.ts', import.meta.url).href;

it('loads a package as Node resolves it from the directory of the configuration: exports, ESM, its own dependencies', async () => {
  const [provider] = await load(installed(), NAME);
  expect([provider?.id, provider?.description]).toEqual(['my_signal', 'Of a package.']);
});

it('accepts any package name, with a scope too, and finds the package in parent directories as well', async () => {
  const directory = installed({}, '@acme/signals');
  mkdirSync(join(directory, 'etc/postern'), { recursive: true });
  const [provider] = await load(join(directory, 'etc/postern'), '@acme/signals');
  expect(provider?.id).toBe('my_signal');
});

it('gives every plugin the kit of the service, whatever copy is installed beside it', async () => {
  const directory = installed({
    'node_modules/@postern/provider-kit/package.json':
      '{"name":"@postern/provider-kit","version":"0.0.1","type":"module","exports":"./old.js"}',
    'node_modules/@postern/provider-kit/old.js': 'throw new Error("the other copy");',
  });
  expect((await load(directory, NAME)).map(({ id }) => id)).toEqual(['my_signal']);
});

it('accepts the answers of a bundled copy of the kit', async () => {
  const bundled = DECLARATION.replace(
    "import { defineProvider, unknown } from '@postern/provider-kit';",
    'const defineProvider = (one) => one; const unknown = (reason) => Object.freeze({ unknown: reason });',
  );
  const [provider] = await load(installed({ 'lib/entry.js': bundled }), NAME);
  expect(provider?.check({} as never, {} as never)).toEqual({ unknown: 'not_run' });
});

const manifest = (more: object) => JSON.stringify({ name: NAME, type: 'module', ...more });
it.each([
  ['is not installed', null, 'is not installed: run "npm install postern-provider-other" in DIR'],
  [
    'was made for another kit',
    {
      'package.json': manifest({
        exports: './lib/entry.js',
        peerDependencies: { '@postern/provider-kit': '^9.0.0' },
      }),
    },
    'is made for @postern/provider-kit ^9.0.0, and this service has 0.1.0: install another version of it',
  ],
  [
    'names no range of the kit',
    {
      'package.json': manifest({
        exports: './lib/entry.js',
        peerDependencies: { '@postern/provider-kit': 'workspace' },
      }),
    },
    '"workspace" in peerDependencies is no range of versions of @postern/provider-kit',
  ],
  [
    'exports nothing to import',
    { 'package.json': manifest({ exports: { './other': './lib/entry.js' } }) },
    '"exports" of DIR/node_modules/postern-provider-my-signal/package.json has no "." for import',
  ],
  [
    'was packed without its build',
    { 'lib/entry.js': null },
    'its entry DIR/node_modules/postern-provider-my-signal/lib/entry.js is not there: was it built before it was packed?',
  ],
])('stops the start at a package that %s', async (_what, files, says) => {
  const directory = installed(files ?? {});
  const name = files === null ? 'postern-provider-other' : NAME;
  const at = directory;
  await expect(load(directory, name)).rejects.toMatchObject({
    faults: [
      `provider package "${name}": ${says.startsWith('its entry') ? 'cannot be resolved: ' : ''}${says.replace('DIR', at)}`,
    ],
  });
});

it('says that TypeScript does not run below node_modules, for a package and for a folder', () => {
  const directory = installed({
    'package.json': manifest({ exports: './index.ts' }),
    'index.ts': 'export default 1 as number;',
  });
  const file = join(directory, 'node_modules', NAME, 'index.ts');
  const faults = [
    `provider ${file}: cannot be loaded: it is TypeScript, which Node does not run below node_modules: publish what tsc makes of it (docs/provider-packages.md)`,
  ];
  // In a process without vitest, which would compile the file.
  const source = `
    const { loadPackage, loadPluginFolder } = await import(${JSON.stringify(LOAD_PROVIDER)});
    console.log(JSON.stringify([
      await loadPackage('${NAME}', ${JSON.stringify(directory)}, console.error),
      await loadPluginFolder(${JSON.stringify(dirname(file))}, console.error),
    ]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([{ faults }, { faults }]);
});

it('lists the faults of packages and folders together', async () => {
  const directory = installed({ 'lib/entry.js': 'export default { id: "Wrong" };' });
  const options = {
    enabled: ['nope'],
    paths: [join(directory, 'empty')],
    packages: [NAME, 'none'],
    packagesFrom: directory,
  };
  await expect(discoverProviders(options)).rejects.toMatchObject({
    faults: expect.arrayContaining([
      expect.stringMatching(/^provider .*\/lib\/entry\.js: id must be snake_case$/),
      expect.stringMatching(/^provider .*\/empty: is not there: name the folder of a provider$/),
      expect.stringMatching(/^provider package "none": is not installed/),
      'providers.enabled: no provider "nope"',
    ]),
  });
});
