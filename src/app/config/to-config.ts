import { join } from 'node:path';
import { camelCase } from './camel-case.ts';
import type { Config } from './config.ts';
import { VariableText } from './environment-layer.ts';
import {
  effective,
  isTree,
  type Layer,
  type Setting,
  type Tree,
  valueAt,
  withAbsolutePaths,
} from './layer.ts';
import { configKeys } from './schema.ts';

/** The settings in the form that the code reads: camelCase, paths absolute, nothing left to derive. */
export function toConfig(
  settings: ReadonlyMap<string, Setting>,
  layers: readonly Layer[],
  dataDir: string,
): Config {
  const root: Record<string, unknown> = { dataDir };
  for (const [key, setting] of settings) {
    const schema = configKeys.get(key) ?? {};
    put(root, key.split('.').map(camelCase), withAbsolutePaths(setting, schema) ?? derived(key, dataDir));
  }
  put(root, ['providers', 'options'], writtenProviderOptions(layers));
  // The schema has checked each value; a test holds this object equal to a literal of the type.
  return root as unknown as Config;
}

/** What null stands for where the data directory decides. */
function derived(key: string, dataDir: string): string | null {
  if (key === 'storage.url') return join(dataDir, 'postern.db');
  if (key === 'privacy.hmac_key_file') return join(dataDir, 'secrets', 'hmac.key');
  return null;
}

/** Each option of each provider's section with the layer that rules it. */
export function providerSettings(layers: readonly Layer[]): Map<string, Map<string, Setting>> {
  const sections = new Map<string, Map<string, Setting>>();
  for (const { tree } of layers) {
    for (const [id, section] of Object.entries(providersOf(tree))) {
      if (configKeys.has(`providers.${id}`)) continue;
      const options = sections.get(id) ?? new Map<string, Setting>();
      for (const option of Object.keys(isTree(section) ? section : {})) {
        const setting = effective(layers, ['providers', id, option]);
        if (setting !== undefined) options.set(option, setting);
      }
      sections.set(id, options);
    }
  }
  return sections;
}

function writtenProviderOptions(layers: readonly Layer[]): Config['providers']['options'] {
  const text = (value: unknown) => (value instanceof VariableText ? value.text : value);
  return Object.fromEntries(
    [...providerSettings(layers)].map(([id, options]) => [
      id,
      Object.fromEntries([...options].map(([option, { value }]) => [option, text(value)])),
    ]),
  );
}

function providersOf(tree: Tree): Tree {
  const providers = valueAt(tree, ['providers']);
  return isTree(providers) ? providers : {};
}

function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  target[name] ??= {};
  put(target[name] as Record<string, unknown>, rest, value);
}
