import { withoutPassword } from '../../lib/service-url.ts';
import { valueAt } from './layer.ts';
import { camelCase, type LoadedConfig } from './load-config.ts';
import { checkProviderOptions, type DeclaredOptions, providerSettings } from './provider-options.ts';
import { configKeys, type SchemaNode } from './schema.ts';

/**
 * Rows for `config show`, in the order of `config/default.yaml`; then the options of each declared provider. Values are as they are used,
 * paths absolute; `[redacted]` for a secret that is set.
 */
export function describeConfig(loaded: LoadedConfig, declared: readonly DeclaredOptions[]) {
  const { config, origins } = loaded;
  const rows = [...configKeys].map(([key, schema]) => ({
    key,
    value: shownValue(valueAt({ ...config }, key.split('.').map(camelCase)), schema),
    origin: origins.get(key) ?? 'default',
  }));
  return [
    { key: 'data_dir', value: config.dataDir, origin: origins.get('data_dir') ?? 'default' },
    ...rows,
    ...providerRows(loaded, declared),
  ];
}

function providerRows(loaded: LoadedConfig, declared: readonly DeclaredOptions[]) {
  const written = providerSettings(loaded.layers);
  const checked = checkProviderOptions(loaded, declared);
  return declared.flatMap(({ id, options }) => {
    const { properties = {} }: SchemaNode = options ?? {};
    return Object.entries(checked[id] ?? {}).map(([name, value]) => {
      const setting = written.get(id)?.get(name) ?? written.get(id)?.get(`${name}_file`);
      return {
        key: `providers.${id}.${name}`,
        value: shownValue(value, properties[name] ?? {}),
        origin: setting?.layer.origin(['providers', id, name]) ?? 'default',
      };
    });
  });
}

/** What may stand in one place, in each of the forms that it may take. */
interface Forms extends Pick<SchemaNode, 'secret' | 'holds_password'> {
  readonly anyOf?: readonly Forms[];
  readonly oneOf?: readonly Forms[];
  readonly items?: Forms;
  readonly properties?: Readonly<Record<string, Forms>>;
}

/** A secret that is set is only said to be, wherever it lies; an address has no password. */
export function shownValue(value: unknown, schema: object): unknown {
  const forms = formsOf(schema);
  if (forms.some(({ secret }) => secret === true)) return value === null ? value : '[redacted]';
  if (typeof value === 'string')
    return forms.some((form) => form.holds_password === true) ? withoutPassword(value) : value;
  if (Array.isArray(value)) {
    const anyOf = forms.flatMap(({ items }) => items ?? []);
    return value.map((item) => shownValue(item, { anyOf }));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const anyOf = forms.flatMap(({ properties }) => properties?.[key] ?? []);
      return [key, shownValue(inner, { anyOf })];
    }),
  );
}

function formsOf(schema: Forms): readonly Forms[] {
  const { anyOf = [], oneOf = [] } = schema;
  return [schema, ...[...anyOf, ...oneOf].flatMap(formsOf)];
}
