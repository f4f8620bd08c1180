import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { faultOfSchema } from '../lib/options-schema.ts';
import { codeOf, messageOf, stackOf } from '../lib/thrown.ts';
import { inTime, type TellWait } from '../lib/time.ts';
import { KIT_VERSION, type SignalProvider } from '../provider-kit/index.ts';
import { checkProvider } from './check-provider.ts';
import {
  faultOfFolder,
  hookResolution,
  moduleOfFolder,
  moduleOfPackage,
  type PluginCode,
  type PluginModule,
  watchCode,
} from './plugin-modules.ts';
import { asWorkOf, tracked } from './plugin-work.ts';

const KIT_NAME = '@postern/provider-kit';

/** A provider, or all that is wrong with it. */
export type Loaded =
  | { readonly provider: SignalProvider; readonly faults?: never }
  | { readonly provider?: never; readonly faults: readonly string[] };

export function folderOf(id: string): string {
  return id.replaceAll('_', '-');
}

export function idOf(folder: string): string {
  return basename(folder).replaceAll('-', '_');
}

/** The id that a package has by custom: `postern-provider-my-signal`, `@acme/postern-provider-my-signal` of `my_signal`. */
export function idOfPackage(name: string): string {
  return idOf(name.replace(/^.*\//, '').replace(/^postern-provider-/, ''));
}

/** A provider that comes with Postern. */
export function loadBuiltIn(folder: string, tellWait: TellWait): Promise<Loaded> {
  return loadFolder(folder, tellWait, importDeclared);
}

/** A provider in a folder of the operator's, as it lies there. */
export async function loadPluginFolder(folder: string, tellWait: TellWait): Promise<Loaded> {
  hookResolution();
  return loadFolder(folder, tellWait, importPlugin);
}

/** A provider in a package that is installed for `directory`. */
export async function loadPackage(name: string, directory: string, tellWait: TellWait): Promise<Loaded> {
  try {
    const module = moduleOfPackage(name, directory);
    requireKit(module.manifest);
    return await importPlugin(module, idOfPackage(name), tellWait);
  } catch (error) {
    return { faults: [`provider package "${name}": ${messageOf(error)}`] };
  }
}

/** A package says in `peerDependencies` which versions of the kit it was made for. Throws, in words for an operator, where this is none. */
function requireKit(manifest: string): void {
  const { peerDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    peerDependencies?: Readonly<Record<string, string>>;
  };
  const range = peerDependencies?.[KIT_NAME];
  if (range === undefined) return;
  if (validRange(range) === null)
    throw new Error(`"${range}" in peerDependencies is no range of versions of ${KIT_NAME}`);
  if (satisfies(KIT_VERSION, range, { includePrerelease: true })) return;
  throw new Error(
    `is made for ${KIT_NAME} ${range}, and this service has ${KIT_VERSION}: install another version of it`,
  );
}

async function loadFolder(folder: string, tellWait: TellWait, load: typeof importPlugin): Promise<Loaded> {
  const module = moduleOfFolder(folder);
  if (!module) return { faults: [`provider ${folder}: ${faultOfFolder(folder)}`] };
  const loaded = await load(module, idOf(folder), tellWait);
  if (!loaded.provider || basename(folder) === folderOf(loaded.provider.id)) return loaded;
  const { id } = loaded.provider;
  return { faults: [`provider ${module.entry}: id "${id}" must be in a folder named "${folderOf(id)}"`] };
}

async function importPlugin(module: PluginModule, id: string, tellWait: TellWait): Promise<Loaded> {
  const code = watchCode(module);
  const loaded = await importDeclared(module, id, tellWait, code);
  if (!loaded.provider) return loaded;
  let provider: SignalProvider;
  try {
    provider = tracked(loaded.provider);
  } catch (error) {
    return { faults: [`provider ${module.entry}: cannot be loaded: ${messageOf(error)}`] };
  }
  code.provider = provider.id;
  const faults = faultsOfSchemas(provider);
  return faults.length > 0 ? { faults } : { provider };
}

/** `code`: of a plugin. */
async function importDeclared(
  { folder, entry }: PluginModule,
  id: string,
  tellWait: TellWait,
  code?: PluginCode,
): Promise<Loaded> {
  const begin = (): Promise<{ default?: unknown }> => import(pathToFileURL(entry).href);
  try {
    const module = await inTime(
      code ? asWorkOf(id, begin) : begin(),
      `provider ${id} (${entry}): its module has not finished loading`,
      tellWait,
    );
    const declared = defaultOf(module);
    const faults = checkProvider(declared).map((fault) => `provider ${entry}: ${fault}`);
    // checkProvider has just established the shape.
    return faults.length > 0 ? { faults } : { provider: declared as SignalProvider };
  } catch (error) {
    const place = placeOf(error, folder) ?? placeOfSyntaxError(error, code) ?? entry;
    return { faults: [`provider ${place}: cannot be loaded: ${whyNotLoaded(error)}`] };
  }
}

/** The default export. Of a module that tsc compiled to CommonJS, Node's default export is all its exports, `default` among them. */
export function defaultOf({ default: exported }: { readonly default?: unknown }): unknown {
  return Object(exported).default ?? exported;
}

const UNSTRIPPED =
  'it is TypeScript, which Node does not run below node_modules: publish what tsc makes of it (docs/provider-packages.md)';

function whyNotLoaded(error: unknown): string {
  return codeOf(error) === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING' ? UNSTRIPPED : messageOf(error);
}

/** Faults in the schemas of a plugin. A test checks those of the built-in providers. */
function faultsOfSchemas({ id, options, thresholds }: SignalProvider): string[] {
  return Object.entries({ options, thresholds }).flatMap(([member, schema]) => {
    // A plugin may be plain JavaScript, which says null of what it does not have.
    const fault = schema ? faultOfSchema(schema) : undefined;
    return fault === undefined ? [] : [`provider "${id}": ${member} is no JSON Schema: ${fault}`];
  });
}

/** The first `FILE:LINE` of the folder in the stack; undefined where there is none. The stack of a TypeScript syntax error begins with it. */
function placeOf(error: unknown, folder: string): string | undefined {
  const stack = stackOf(error);
  const from = stack.indexOf(`${folder}/`);
  return from === -1 ? undefined : /^.+?\.[jt]s:\d+/.exec(stack.slice(from))?.[0];
}

/** The first `FILE:LINE` of the plugin's own files that is no JavaScript: Node's error has no place, but `node --check` prints one. */
function placeOfSyntaxError(error: unknown, code: PluginCode | undefined): string | undefined {
  if (!code || !(error instanceof SyntaxError)) return undefined;
  for (const file of code.digests.keys()) {
    if (relative(code.folder, file).split(sep).includes('node_modules')) continue;
    const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
    const place = /^(?:file:\/\/)?(\/.*:\d+)$/m.exec(stderr)?.[1];
    if (place !== undefined) return place;
  }
  return undefined;
}
