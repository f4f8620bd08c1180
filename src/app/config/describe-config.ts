import { placeIn, type SchemaPlace } from '../../lib/json-schema.ts';
import { withoutPassword } from '../../lib/service-url.ts';
import { valueAt } from './layer.ts';
import { camelCase, type LoadedConfig } from './load-config.ts';
import { checkProviderOptions, type DeclaredOptions, providerSettings } from './provider-options.ts';
import { configKeys } from './schema.ts';

/**
 * Rows for `config show`, in the order of `config/default.yaml`; then the options of each declared provider. Values are as they are used,
 * paths absolute; `[redacted]` for a secret that is set.
 */
export function describeConfig(loaded: LoadedConfig, declared: readonly DeclaredOptions[]) {
  const { config, origins } = loaded;
  const rows = [...configKeys].map(([key, schema]) => ({
    key,
    value: shownValue(valueAt({ ...config }, key.split('.').map(camelCase)), placeIn(schema)),
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
    const place = placeIn(options ?? {});
    return Object.entries(checked[id] ?? {}).map(([name, value]) => {
      const setting = written.get(id)?.get(name) ?? written.get(id)?.get(`${name}_file`);
      return {
        key: `providers.${id}.${name}`,
        value: shownValue(value, place.below(name)),
        origin: setting?.layer.origin(['providers', id, name]) ?? 'default',
      };
    });
  });
}

/** Hides a secret that is set, at any depth, and the password of an address. */
export function shownValue(value: unknown, place: SchemaPlace): unknown {
  if (place.isSecret) return value === null ? value : '[redacted]';
  if (typeof value === 'string') return place.holdsPassword ? withoutPassword(value) : value;
  if (Array.isArray(value)) return value.map((item, index) => shownValue(item, place.below(String(index))));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, shownValue(inner, place.below(key))]),
  );
}
