import { readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { shortPath } from '../../lib/paths.ts';
import { orIfAbsent } from '../../lib/thrown.ts';
import { KIT_VERSION } from '../../provider-kit/index.ts';
import { withDeclared } from '../../provider-kit/testing/index.ts';
import { PROVIDER_ID, RESERVED, SETTINGS } from '../../signals/check-provider.ts';
import { builtInIds } from '../../signals/discover-providers.ts';
import { folderOf, loadPluginFolder } from '../../signals/load-provider.ts';
import { makeDirectory } from '../../storage/private-files.ts';
import { CannotRun, orCannotUse, type Shell } from '../shell.ts';
import { countingSources, localSources, networkSources } from './scaffold-sources.ts';

/** Writes a provider that passes its tests, to be changed into the author's own. Its folder is made in `dir`. */
export async function newProvider(shell: Shell, id: string, kind: Kind, dir = '.'): Promise<void> {
  if (!PROVIDER_ID.test(id)) {
    const meant = id
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^[_0-9]+|_+$/g, '');
    const hint = PROVIDER_ID.test(meant) ? ` (did you mean ${meant}?)` : '';
    throw new CannotRun(`${JSON.stringify(id)} is no id: snake_case, such as my_signal${hint}`);
  }
  if (builtInIds().includes(id)) throw new CannotRun(`"${id}" is a built-in provider: choose another id`);
  if (RESERVED.includes(id)) throw new CannotRun(`facts under "${id}." are reserved: choose another id`);
  if (SETTINGS.includes(id))
    throw new CannotRun(`providers.${id} is a key of the configuration: choose another id`);
  const folder = join(resolve(shell.cwd, dir), folderOf(id));
  const name = shortPath(folder, shell.cwd);
  const there = await orCannotUse(name, 'read', () => orIfAbsent(readdir(folder), []));
  if (there.length > 0) throw new CannotRun(`${name} is not empty`);
  const files = scaffold(id, kind);
  const write = (file: string, text: string) =>
    orCannotUse(join(name, file), 'written', () => writeFile(join(folder, file), text));
  await orCannotUse(name, 'written', () => makeDirectory(folder));
  for (const [file, text] of Object.entries(files)) await write(file, text);
  const loaded = await loadPluginFolder(folder, (what) => shell.warn(what));
  if (loaded.faults) throw new Error(loaded.faults.join('\n'));
  await write('README.md', withDeclared(ABOUT, loaded.provider));
  const written = [...Object.keys(files), 'README.md'].map((file) => join(name, file));
  shell.answer({ provider: id, kind, folder: name, package: packageNameOf(id), files: written }, () => {
    shell.print(`${name}: a ${kind} provider, ${written.length} files`);
    shell.print(`\n  postern providers test ${name}`);
    shell.print(`  postern providers try ${name} jane.doe@example.com`);
    shell.print(`  postern providers dev ${name}\n`);
    shell.print('From here to a package: docs/provider-packages.md');
  });
}

const ABOUT = `
Say here what it is for, what it costs, and where its data come from.
`;

/** The part that differs by kind of provider: the code, and the cases of its test. */
const SOURCES = { local: localSources, network: networkSources, counting: countingSources };
export type Kind = keyof typeof SOURCES;
export const KINDS = Object.keys(SOURCES) as readonly Kind[];

/** Every file of a new provider but its README, by name. */
function scaffold(id: string, kind: Kind): Readonly<Record<string, string>> {
  const { description, index, cases } = SOURCES[kind](id);
  return {
    'index.ts': index,
    'cases.ts': cases,
    'index.test.ts': TEST,
    'package.json': `${JSON.stringify(manifestOf(id, description), null, 2)}\n`,
    'tsconfig.json': TSCONFIG,
    '.gitignore': 'node_modules/\ndist/\n*.tgz\n',
  };
}

function packageNameOf(id: string): string {
  return `postern-provider-${folderOf(id)}`;
}

function manifestOf(id: string, description: string) {
  const range = `^${KIT_VERSION}`;
  return {
    name: packageNameOf(id),
    version: '0.1.0',
    description,
    license: 'UNLICENSED',
    keywords: ['postern-provider'],
    type: 'module',
    exports: { types: './dist/index.d.ts', default: './dist/index.js' },
    files: ['dist'],
    scripts: { build: 'tsc', test: 'vitest run', prepack: 'npm run build' },
    // The service brings the kit and checks this range: the kit need not be installed beside the package.
    peerDependencies: { '@postern/provider-kit': range },
    peerDependenciesMeta: { '@postern/provider-kit': { optional: true } },
    devDependencies: {
      '@postern/provider-kit': range,
      '@types/node': '>=24',
      typescript: '>=5.9',
      vitest: '>=3',
    },
  };
}

const TEST = `import { runContract } from '@postern/provider-kit/vitest';
import cases from './cases.ts';
import provider from './index.ts';

runContract(provider, cases);
`;

/** Allows only TypeScript that node runs without a build, so that a folder and the package behave alike. */
const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "rewriteRelativeImportExtensions": true,
    "declaration": true,
    "skipLibCheck": true,
    "rootDir": ".",
    "outDir": "dist"
  },
  "files": ["index.ts"]
}
`;
