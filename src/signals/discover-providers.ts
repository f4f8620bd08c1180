import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../app/config/config.ts';
import { StartupError } from '../errors.ts';
import { didYouMean } from '../lib/did-you-mean.ts';
import type { TellWait } from '../lib/time.ts';
import type { SignalProvider } from '../provider-kit/index.ts';
import {
  folderOf,
  idOf,
  idOfPackage,
  type Loaded,
  loadBuiltIn,
  loadPackage,
  loadPluginFolder,
} from './load-provider.ts';
import { moduleOfFolder } from './plugin-modules.ts';

const BUILT_IN = fileURLToPath(new URL('../../providers/', import.meta.url));

/** The ids of the providers that come with Postern, sorted. */
export function builtInIds(): readonly string[] {
  return readdirSync(BUILT_IN, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && moduleOfFolder(join(BUILT_IN, entry.name)))
    .map(({ name }) => idOf(name))
    .sort();
}

export type DiscoveredProviders = Awaited<ReturnType<typeof discoverProviders>>;

type Sources = Config['providers'];

/**
 * Imports and checks the built-in providers, every folder of `paths` and every package of `packages`; a named folder or package is always
 * enabled. `enabled: null` enables all built-in ones; disabled ones are not asked, but rules may still name their facts. Throws one
 * StartupError that lists all that fails; calls `tellWait` where loading takes long.
 */
export async function discoverProviders(
  {
    enabled: ids,
    paths,
    packages = [],
    packagesFrom = '',
  }: Pick<Sources, 'enabled' | 'paths'> & Partial<Sources>,
  tellWait: TellWait = () => undefined,
) {
  const available = builtInIds();
  const plugged = [...paths.map(idOf), ...packages.map(idOfPackage)];
  const faults: string[] = [];
  const settled = async (loading: readonly Promise<Loaded>[]) =>
    (await Promise.all(loading)).flatMap((loaded): readonly SignalProvider[] => {
      faults.push(...(loaded.faults ?? []));
      return loaded.provider ? [loaded.provider] : [];
    });
  const builtIn = await settled(available.map((id) => loadBuiltIn(join(BUILT_IN, folderOf(id)), tellWait)));
  const isEnabled = ({ id }: SignalProvider) => ids?.includes(id) ?? true;
  const pluggedIn = await settled([
    ...paths.map((path) => loadPluginFolder(path, tellWait)),
    ...packages.map((name) => loadPackage(name, packagesFrom, tellWait)),
  ]);
  const loaded = [...available, ...pluggedIn.map(({ id }) => id)];
  const missing = (ids ?? []).filter((id) => ![...loaded, ...plugged].includes(id));
  faults.push(...missing.map((id) => `providers.enabled: no provider "${id}"${didYouMean(id, loaded)}`));
  const enabled = [...builtIn.filter(isEnabled), ...pluggedIn];
  // Also where the built-in one is disabled: `providers.<id>` could not tell whose options it holds.
  const taken = pluggedIn.filter(({ id }) => available.includes(id));
  faults.push(
    ...taken.map(
      ({ id }) => `provider "${id}": a built-in provider has this id; claim its slot under another`,
    ),
  );
  faults.push(...clashes(enabled.filter((provider) => !taken.includes(provider))));
  if (faults.length > 0) throw new StartupError(faults.sort());
  return { enabled, disabled: builtIn.filter((provider) => !isEnabled(provider)) };
}

/** An id or a fact, and so a slot, belongs to one provider. */
function clashes(providers: readonly SignalProvider[]): string[] {
  const faults: string[] = [];
  const owners = new Map<string, string>();
  const ids = new Set<string>();
  for (const provider of providers) {
    if (ids.has(provider.id)) {
      faults.push(
        `provider "${provider.id}": providers.paths and providers.packages name two of this id: leave one out`,
      );
      continue;
    }
    ids.add(provider.id);
    for (const { id } of provider.facts) {
      const owner = owners.get(id);
      if (owner) faults.push(`provider "${provider.id}": fact "${id}" is already answered by "${owner}"`);
      else owners.set(id, provider.id);
    }
  }
  return faults;
}
