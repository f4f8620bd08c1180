import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { findPackageJSON, registerHooks } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { once } from '../lib/concurrency.ts';
import { didYouMean } from '../lib/did-you-mean.ts';
import { moduleBeside } from '../lib/paths.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';
import type { Logger } from '../observability/logger.ts';

const KIT: ReadonlyMap<string, string> = new Map(
  [
    ['provider-kit', '../provider-kit/index'],
    ['provider-kit/testing', '../provider-kit/testing/index'],
  ].flatMap(([name, module = '']) =>
    ['postern', '@postern'].map((scope) => [`${scope}/${name}`, moduleBeside(module, import.meta.url).href]),
  ),
);
const PACKAGE = 'postern-package:';

/**
 * Lets a folder anywhere on the disk import the kit without installing it, and packages be found from any directory. Records which modules
 * a plugin imports.
 */
export const hookResolution = once(() =>
  registerHooks({
    resolve(specifier, context, next) {
      // The service's own kit, whatever copy lies beside the plugin: both must use the same tables.
      const url = KIT.get(specifier);
      if (url !== undefined) return { url, shortCircuit: true };
      if (specifier.startsWith(PACKAGE)) {
        const [name = '', parentURL] = specifier.slice(PACKAGE.length).split(' from ');
        return next(name, { ...context, parentURL });
      }
      const resolved = next(specifier, context);
      const owner = owners.get(context.parentURL ?? '');
      if (owner) note(owner, resolved.url);
      return resolved;
    },
  }),
);

/** Where a plugin is, and what to import of it. */
export interface PluginModule {
  readonly folder: string;
  readonly entry: string;
}

/** The module of a folder; undefined where it has none. */
export function moduleOfFolder(folder: string): PluginModule | undefined {
  const entry = ['index.js', 'index.ts'].map((name) => join(folder, name)).find((file) => existsSync(file));
  return entry === undefined ? undefined : { folder, entry };
}

/** Why a folder is no provider's, and what to name instead. */
export function faultOfFolder(folder: string): string {
  const providersIn = (path: string) => globSync('*/index.{js,ts}', { cwd: path }).map(dirname).sort();
  const [inside] = providersIn(folder);
  if (inside !== undefined) return `has no index.js or index.ts: name a folder in it, such as ${inside}`;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return 'has no index.js or index.ts';
  const meant = didYouMean(basename(folder), providersIn(dirname(folder)));
  return `${existsSync(folder) ? 'is a file' : 'is not there'}: name the folder of a provider${meant}`;
}

/**
 * The module of a package as Node finds it for a file in `directory`: by `exports`, for `import`. Throws, in words for an operator, where
 * there is none.
 */
export function moduleOfPackage(
  name: string,
  directory: string,
): PluginModule & { readonly manifest: string } {
  hookResolution();
  const from = pathToFileURL(join(directory, 'postern.yaml')).href;
  let manifest: string | undefined;
  try {
    manifest = findPackageJSON(name, from);
    const entry = fileURLToPath(import.meta.resolve(`${PACKAGE}${name} from ${from}`));
    if (manifest === undefined) throw new Error('it has no package.json');
    if (!existsSync(entry))
      throw new Error(`its entry ${entry} is not there: was it built before it was packed?`);
    return { folder: dirname(manifest), entry, manifest };
  } catch (error) {
    if (manifest === undefined && codeOf(error) === 'ERR_MODULE_NOT_FOUND') {
      throw new Error(`is not installed: run "npm install ${name}" in ${directory}`);
    }
    if (codeOf(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED') {
      throw new Error(`"exports" of ${manifest} has no "." for import`);
    }
    throw new Error(`cannot be resolved: ${messageOf(error)}`);
  }
}

/** The code that was loaded for one plugin. */
export interface PluginCode {
  /** The plugin's id; undefined where it could not be loaded. */
  provider?: string;
  readonly folder: string;
  /** The digest of each file by its path, undefined where the file could not be read. */
  readonly digests: Map<string, string | undefined>;
}

/** By the URL of a module: the plugin that it belongs to, as its entry or because one of its modules imports it. */
const owners = new Map<string, PluginCode>();

function note(owner: PluginCode, url: string): void {
  if (!url.startsWith('file:')) return;
  owners.set(url, owner);
  const file = fileURLToPath(url);
  if (!owner.digests.has(file)) owner.digests.set(file, digestOf(file));
}

function digestOf(file: string): string | undefined {
  try {
    return hash('sha256', readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Records the files that are loaded for a plugin from now on. Call it before the entry is imported. */
export function watchCode({ folder, entry }: PluginModule): PluginCode {
  const code: PluginCode = { folder: realpathSync(folder), digests: new Map() };
  // Node imports a file by its real path.
  note(code, pathToFileURL(realpathSync(entry)).href);
  return code;
}

/** Logs which plugins' code has changed since the start, for an operator who has sent SIGHUP: a reload never loads code anew. */
export function tellOfCode(log: Logger): void {
  const unchanged: string[] = [];
  for (const { provider, folder, digests } of new Set(owners.values())) {
    if (provider === undefined) continue;
    const changed = [...digests].filter(([file, digest]) => digestOf(file) !== digest);
    if (changed.length === 0) unchanged.push(provider);
    else {
      const files = changed.map(([file]) => relative(folder, file)).sort();
      log.warn(
        { provider, files },
        'provider has changed since the start; code is loaded at the start only: restart',
      );
    }
  }
  if (unchanged.length > 0) log.info({ providers: unchanged }, 'the code of these providers has not changed');
}
