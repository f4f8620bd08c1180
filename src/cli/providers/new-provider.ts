import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { shortPath } from '../../lib/paths.ts';
import { orIfAbsent } from '../../lib/thrown.ts';
import { withDeclared } from '../../provider-kit/testing/index.ts';
import { RESERVED } from '../../signals/check-provider.ts';
import { builtInIds } from '../../signals/discover-providers.ts';
import { loadPluginFolder } from '../../signals/load-provider.ts';
import { CannotRun, orCannotUse, type Shell } from '../shell.ts';
import { type Kind, packageNameOf, scaffold } from './scaffold.ts';

export interface NewOptions {
  readonly kind: Kind;
  /** The folder in which its own is made; the working directory unless told. */
  readonly dir?: string;
}

/** Writes a provider that passes its tests, to be changed into the author's own. */
export async function newProvider(shell: Shell, id: string, { kind, dir = '.' }: NewOptions): Promise<void> {
  if (!/^[a-z][a-z0-9_]*$/.test(id))
    throw new CannotRun(`${JSON.stringify(id)} is no id: snake_case, such as my_signal`);
  if (builtInIds().includes(id)) throw new CannotRun(`"${id}" is a built-in provider: choose another id`);
  if (RESERVED.includes(id)) throw new CannotRun(`facts under "${id}." are reserved: choose another id`);
  const folder = join(resolve(shell.cwd, dir), id.replaceAll('_', '-'));
  const name = shortPath(folder, shell.cwd);
  const there = await orCannotUse(name, 'read', orIfAbsent(readdir(folder), []));
  if (there.length > 0) throw new CannotRun(`${name} is not empty`);
  const files = scaffold(id, kind);
  const write = (file: string, text: string) =>
    orCannotUse(join(name, file), 'written', writeFile(join(folder, file), text));
  await orCannotUse(name, 'written', mkdir(folder, { recursive: true }));
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
