import type { ErrorObject } from 'ajv/dist/2020.js';
import { once } from '../../lib/concurrency.ts';
import { didYouMean } from '../../lib/did-you-mean.ts';
import {
  closestFaults,
  createAjv,
  pathOf,
  placeIn,
  type SchemaPlace,
  sentenceOf,
} from '../../lib/json-schema.ts';
import { withoutPassword } from '../../lib/service-url.ts';
import { explainLostShape } from '../../lib/yaml-syntax.ts';
import type { KeyPath } from './layer.ts';
import { configSchema, type SchemaNode } from './schema.ts';

/** Not validated here: a test checks that our own schema is a valid one. */
const configValidator = once(() =>
  createAjv({ useDefaults: false, strict: true, validateSchema: false }).compile(configSchema),
);

/** The faults of one layer's settings by the schema. */
export function faultsOfSettings(tree: unknown) {
  const validate = configValidator();
  return validate(tree) ? [] : faultsOf(validate.errors, configSchema);
}

/** The faults of a value by a schema. Messages reveal nothing of a secret, nor the keys in it. */
export function faultsOf(errors: ErrorObject[] | null | undefined, schema: object) {
  return closestFaults(errors ?? []).map((error) => {
    const path: string[] = [];
    let place = placeIn(schema);
    for (const name of pathOf(error)) {
      if (place.isSecret && !place.declares(name))
        return { path, message: `holds a secret that ${sentenceOf(error)}` };
      path.push(name);
      place = place.below(name);
    }
    return {
      path,
      message: place.isSecret ? sentenceOf(error) : sentenceOf(error) + hintOf(error, path, place),
    };
  });
}

/** The rest of the message: the value found, and what was probably meant. */
function hintOf(error: ErrorObject, path: KeyPath, place: SchemaPlace): string {
  const { keyword, params, data } = error;
  // `verbose` makes ajv hand over the schema and the value at fault.
  const schema = error.parentSchema as SchemaNode;
  if (keyword === 'required') return '';
  if (keyword === 'additionalProperties')
    return didYouMean(String(params.additionalProperty), Object.keys(schema.properties ?? {}));
  return found(error, place) + lostShape(error) + settingNear(path, data);
}

function lostShape({ keyword, params, data }: ErrorObject): string {
  const types: unknown[] = keyword === 'type' ? [params.type].flat() : [];
  const shape = types.includes('array') ? 'list' : types.includes('object') ? 'mapping' : undefined;
  if (shape === undefined || typeof data !== 'string') return '';
  // A shell takes the quotation marks out of X=["a"].
  if (/^[[{]/.test(data)) return `: in a variable a ${shape} is JSON, its texts in double quotes`;
  return explainLostShape(data, shape);
}

/** Every other key of `providers` is the id of a provider, so that a misspelt setting is taken for an id. */
function settingNear([section, id = '', ...rest]: KeyPath, data: unknown): string {
  if (section !== 'providers' || rest.length > 0) return '';
  if (PROVIDER_SETTINGS.includes(id)) return '';
  // A list cannot be the options of a provider, so a setting was meant.
  return Array.isArray(data) ? nearSetting(id) : didYouMean(id, PROVIDER_SETTINGS);
}

const PROVIDER_SETTINGS = Object.keys(configSchema.properties?.providers?.properties ?? {});

/** Names the setting of `providers`, or the provider, that a key there probably meant; else says where own providers are named. */
export function nearSetting(id: string, providers: Iterable<string> = []): string {
  return (
    didYouMean(id, [...providers, ...PROVIDER_SETTINGS]) ||
    ': folders of providers are listed in providers.paths, packages in providers.packages'
  );
}

/** The value that was found, where it is short; for a word of a closed list, the nearest one. */
function found({ data: value, params, parentSchema }: ErrorObject, { holdsPassword }: SchemaPlace): string {
  const isShort = value === null || (typeof value !== 'object' && value !== undefined && value !== '');
  if (!isShort) return '';
  if (holdsPassword) return `, not ${JSON.stringify(withoutPassword(String(value)))}`;
  // The text may be a key with its secret, `token:s3cret`.
  if (typeof value === 'string' && [params.type].flat().includes('object')) return ', not text';
  const near = typeof value === 'string' ? didYouMean(value, (parentSchema?.enum ?? []).map(String)) : '';
  // JSON has neither NaN nor Infinity, as which 1e309 is read.
  return `, not ${typeof value === 'number' ? value : JSON.stringify(value)}${near}`;
}
