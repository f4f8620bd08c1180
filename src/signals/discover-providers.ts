import { existsSync, readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { StartupError } from '../errors.ts';
import { once } from '../lib/concurrency.ts';
import { didYouMean } from '../lib/did-you-mean.ts';
import { faultOfSchema } from '../lib/json-schema.ts';
import { moduleBeside } from '../lib/paths.ts';
import { messageOf, stackOf } from '../lib/thrown.ts';
import type { SignalProvider } from '../provider-kit/index.ts';
import { checkProvider } from './check-provider.ts';
import { tracked } from './plugin-work.ts';
import { inTime } from './prepare-providers.ts';

const BUILT_IN = fileURLToPath(new URL('../../providers/', import.meta.url));
const KIT = moduleBeside('../provider-kit/index', import.meta.url);

/** Lets a folder anywhere on the disk import "postern/provider-kit" without installing it. */
const resolveKit = once(() =>
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'postern/provider-kit' ? { url: KIT.href, shortCircuit: true } : next(specifier, context),
  }),
);

function entryOf(folder: string): string | undefined {
  return ['index.js', 'index.ts'].map((name) => join(folder, name)).find((file) => existsSync(file));
}

function folderOf(id: string): string {
  return id.replaceAll('_', '-');
}

/** The ids of the providers that come with Postern, sorted. */
export function builtInIds(): readonly string[] {
  return readdirSync(BUILT_IN, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entryOf(join(BUILT_IN, entry.name)))
    .map((entry) => entry.name.replaceAll('-', '_'))
    .sort();
}

export type DiscoveredProviders = Awaited<ReturnType<typeof discoverProviders>>;

/**
 * Imports and checks the built-in providers and every folder of `paths`; to name a folder
 * is to enable it. `enabled: null` is all built in; those that are switched off are not asked, but rules may still name their facts.
 * Throws one StartupError that lists all that fails.
 */
export async function discoverProviders(options: {
  readonly enabled: readonly string[] | null;
  readonly paths: readonly string[];
}) {
  const available = builtInIds();
  const plugged = options.paths.map((path) => basename(path));
  const faults = (options.enabled ?? [])
    .filter((id) => !available.includes(id) && !plugged.includes(folderOf(id)))
    .map((id) => `providers.enabled: no provider "${id}"${didYouMean(id, available)}`);
  if (options.paths.length > 0) resolveKit();
  const loadAll = async (folders: readonly string[]) => {
    const loaded = await Promise.all(folders.map((folder) => load(folder, faults)));
    return loaded.filter((provider) => provider !== undefined);
  };
  const builtIn = await loadAll(available.map((id) => join(BUILT_IN, folderOf(id))));
  const isEnabled = ({ id }: SignalProvider) => options.enabled?.includes(id) ?? true;
  const pluggedIn = (await loadAll(options.paths)).map(tracked);
  faults.push(...pluggedIn.flatMap(faultsOfSchemas));
  const enabled = [...builtIn.filter(isEnabled), ...pluggedIn];
  // Even of one that is switched off: `providers.<id>` could not say whose options it holds.
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

async function load(folder: string, faults: string[]): Promise<SignalProvider | undefined> {
  const entry = entryOf(folder);
  if (!entry) {
    faults.push(`provider ${folder}: has no index.js or index.ts`);
    return undefined;
  }
  try {
    const module: { default?: unknown } = await inTime(import(pathToFileURL(entry).href));
    const found = checkProvider(module.default);
    if (found.length > 0) {
      faults.push(...found.map((fault) => `provider ${entry}: ${fault}`));
      return undefined;
    }
    // checkProvider has just established the shape.
    const provider = module.default as SignalProvider;
    if (basename(folder) !== folderOf(provider.id)) {
      faults.push(
        `provider ${entry}: id "${provider.id}" must be in a folder named "${folderOf(provider.id)}"`,
      );
    }
    return provider;
  } catch (error) {
    const message = messageOf(error);
    faults.push(`provider ${placeOf(error, folder) ?? entry}: cannot be loaded: ${message}`);
    return undefined;
  }
}

/** Of one from elsewhere; those of the built-in ones are held to be schemas by a test. */
function faultsOfSchemas({ id, options, thresholds }: SignalProvider): string[] {
  return Object.entries({ options, thresholds }).flatMap(([member, schema]) => {
    // A plugin may be plain JavaScript, which says null of what it does not have.
    const fault = schema ? faultOfSchema(schema) : undefined;
    return fault === undefined ? [] : [`provider "${id}": ${member} is no JSON Schema: ${fault}`];
  });
}

/** `FILE:LINE` of the folder, where the stack names one; that of a fault in the syntax of TypeScript begins with it. */
function placeOf(error: unknown, folder: string): string | undefined {
  const stack = stackOf(error);
  const from = stack.indexOf(`${folder}/`);
  return from === -1 ? undefined : /^.+?\.[jt]s:\d+/.exec(stack.slice(from))?.[0];
}

/** An id or a fact, and so a slot, belongs to one provider. */
function clashes(providers: readonly SignalProvider[]): string[] {
  const faults: string[] = [];
  const owners = new Map<string, string>();
  const ids = new Set<string>();
  for (const provider of providers) {
    if (ids.has(provider.id)) faults.push(`provider "${provider.id}": there are two of this id`);
    ids.add(provider.id);
    for (const { id } of provider.facts) {
      const owner = owners.get(id);
      if (owner) faults.push(`provider "${provider.id}": fact "${id}" is already answered by "${owner}"`);
      else owners.set(id, provider.id);
    }
  }
  return faults;
}
