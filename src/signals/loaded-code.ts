import { hash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { once } from '../lib/concurrency.ts';
import type { Logger } from '../observability/logger.ts';
import type { SignalProvider } from '../provider-kit/index.ts';
import { isKit } from './plugin-resolution.ts';

/** What of one plugin was loaded: the digest of each file of code, by its path. */
interface Loaded {
  readonly provider: string;
  readonly folder: string;
  readonly digests: Map<string, string | undefined>;
}

/** By the URL of a module: the plugin that it belongs to, as its entry or because one of its modules imports it. */
const owners = new Map<string, Loaded>();
const plugins = new Map<string, Loaded>();

const watchImports = once(() =>
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const owner = owners.get(context.parentURL ?? '');
      if (owner && !isKit(specifier)) note(owner, resolved.url);
      return resolved;
    },
  }),
);

function note(owner: Loaded, url: string): void {
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

/** From now on notes what is loaded for a plugin; to be called before its entry is imported. */
export function watchCode(provider: string, folder: string, entry: string): void {
  watchImports();
  const loaded: Loaded = { provider, folder: realpathSync(folder), digests: new Map() };
  plugins.set(provider, loaded);
  // Node imports a file by its real path.
  note(loaded, pathToFileURL(realpathSync(entry)).href);
}

/** Of a package: its id is known once it has been loaded under the one that its name lets expect. */
export function renameCode(expected: string, id: string): void {
  const loaded = plugins.get(expected);
  if (!loaded) return;
  plugins.delete(expected);
  plugins.set(id, loaded);
}

/** For an operator who has sent SIGHUP: it reloads much, and never code. */
export function tellOfCode(providers: readonly SignalProvider[], log: Logger): void {
  const unchanged: string[] = [];
  for (const { id: provider } of providers) {
    const loaded = plugins.get(provider);
    if (!loaded) continue;
    const changed = [...loaded.digests].filter(([file, digest]) => digestOf(file) !== digest);
    if (changed.length === 0) unchanged.push(provider);
    else {
      const files = changed.map(([file]) => relative(loaded.folder, file)).sort();
      log.warn(
        { provider, files },
        'provider has changed since the start; code is loaded at the start only: restart',
      );
    }
  }
  if (unchanged.length > 0) log.info({ providers: unchanged }, 'the code of these providers has not changed');
}
