import { StartupError } from '../../errors.ts';
import { once } from '../../lib/concurrency.ts';
import { placeIn } from '../../lib/json-schema.ts';
import { createOptionsAjv } from '../../lib/options-schema.ts';
import type { SignalProvider } from '../../provider-kit/index.ts';
import type { ProviderOptions } from './config.ts';
import { readSecret, typed, variableOf } from './environment-layer.ts';
import { faultsOf, nearSetting } from './faults.ts';
import { effective, isTree, type Layer, type Setting, valueAt, withAbsolutePaths } from './layer.ts';
import type { LoadedConfig } from './load-config.ts';
import { configKeys, type SchemaNode } from './schema.ts';

/** The parts of a provider that matter here. Pass all providers found, disabled ones too: their sections are no fault. */
export type DeclaredOptions = Pick<SignalProvider, 'id' | 'options' | 'http'>;

/** `providers.<id>` of each declared provider, checked against its own schema, defaults filled in. */
export function checkProviderOptions(
  loaded: Pick<LoadedConfig, 'layers'>,
  declared: readonly DeclaredOptions[],
): ProviderOptions {
  const sections = providerSettings(loaded.layers);
  const faults = unknownProviders(loaded.layers, sections, declared);
  const checked: [string, Record<string, unknown>][] = [];
  for (const { id, options, http } of declared) {
    const section = resolveSection(id, sections.get(id) ?? new Map(), options ?? {}, faults);
    const values = Object.fromEntries([...section].map(([name, { value }]) => [name, value]));
    const found = faultsOfSection(values, options ?? {});
    const wrong = found.length > 0 ? found : faultsOfOrigins(values, http);
    for (const { path, message } of wrong) {
      const layer = section.get(path[0] ?? '')?.layer;
      const key = ['providers', id, ...path];
      faults.push(`${layer === undefined ? key.join('.') : layer.at(key)} ${message}`);
    }
    checked.push([id, values]);
  }
  if (faults.length > 0) throw new StartupError(faults);
  return Object.fromEntries(checked);
}

/** Each option of each provider's section, with the layer whose value wins. */
export function providerSettings(layers: readonly Layer[]): Map<string, Map<string, Setting>> {
  const sections = new Map<string, Map<string, Setting>>();
  for (const { tree } of layers) {
    for (const [id, section] of Object.entries(valueAt(tree, ['providers']) ?? {})) {
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

function unknownProviders(
  layers: readonly Layer[],
  sections: ReadonlyMap<string, unknown>,
  declared: readonly DeclaredOptions[],
): string[] {
  const known = new Set(declared.map(({ id }) => id));
  return [...sections.keys()]
    .filter((id) => !known.has(id))
    .flatMap((id) =>
      layers
        .filter(({ tree }) => Object.hasOwn(Object(tree.providers), id))
        .map((layer) => `${layer.at(['providers', id])} is not a known provider${nearSetting(id, known)}`),
    );
}

/** Gives variables the type that the schema asks for, reads secrets from their files, makes paths absolute. */
function resolveSection(
  id: string,
  written: ReadonlyMap<string, Setting>,
  schema: SchemaNode,
  faults: string[],
): Map<string, Setting> {
  const section = new Map<string, Setting>();
  const place = placeIn(schema);
  const known = (name: string) =>
    Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
  for (const [name, setting] of written) {
    const { value, layer } = setting;
    const secret = name.replace(/_file$/, '');
    if (!layer.hasRawOptions) {
      // A variable may have put the secret in from a file already.
      if (!section.has(name)) section.set(name, setting);
    } else if (!place.declares(name) && place.declares(secret) && place.below(secret).isSecret) {
      const read = readSecret(String(value), layer.base);
      const variable = { ...layer, at: () => `${variableOf(`providers.${id}.${name}`)}:` };
      if ('fault' in read) faults.push(`${variable.at()} ${read.fault}`);
      else if (written.get(secret)?.layer === layer) faults.push(`${variable.at()} the secret is set twice`);
      else section.set(secret, { value: read.value, layer: variable });
    } else {
      section.set(name, { value: typed(String(value), known(name) ?? { type: 'string' }), layer });
    }
  }
  for (const [name, setting] of section) {
    section.set(name, { ...setting, value: withAbsolutePaths(setting, known(name) ?? {}) });
  }
  return section;
}

/** Fills defaults in. Schemas are not validated here: those of plugins are when they load, those of built-in providers by a test. */
const ajv = once(() => createOptionsAjv({ validateSchema: false }));

type Fault = Pick<ReturnType<typeof faultsOf>[number], 'path' | 'message'>;

function faultsOfSection(values: Record<string, unknown>, schema: SchemaNode): readonly Fault[] {
  // An option that is not declared is a typing error, whether or not the provider's author said so.
  const closed = { type: 'object', properties: {}, additionalProperties: false, ...schema };
  const validate = ajv().compile(closed);
  return validate(values) ? [] : faultsOf(validate.errors, closed);
}

/** Faults of options that name a server which the provider asks. Null means no server. */
function faultsOfOrigins(values: Record<string, unknown>, http: DeclaredOptions['http']): readonly Fault[] {
  return (http?.origins ?? []).flatMap((origin) => {
    if (typeof origin === 'string') return [];
    const value = values[origin.option] ?? null;
    if (value === null) return [];
    const path = [origin.option];
    const url = URL.parse(String(value));
    if (url?.protocol !== 'https:')
      return [{ path, message: 'must be an https: URL: the provider asks nothing else' }];
    // A password would be shown, and the port refuses such a URL.
    if (url.username || url.password)
      return [{ path, message: 'must have no user and password: give them in an option that is a secret' }];
    return [];
  });
}
