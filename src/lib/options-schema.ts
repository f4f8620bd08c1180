import type { Ajv2020, Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createAjv } from './json-schema.ts';
import { messageOf } from './thrown.ts';

/** An ajv for the options of providers, with the formats of JSON Schema beside our own, such as `uri`, `email`, `date` and `hostname`. */
export function createOptionsAjv(options: Options): Ajv2020 {
  const ajv = createAjv({ useDefaults: true, strict: false, logger: false, ...options });
  addFormats.default(ajv);
  return ajv;
}

/** Keys of a schema that may hold an object although ajv knows no such keyword. */
const ANNOTATION = /^(\$.*|x-.*|definitions|default)$/;

/** Why an object is no JSON Schema; undefined where it is one. Takes 30 to 70 ms, so a test, not the start, checks built-in providers. */
export function faultOfSchema(schema: object): string | undefined {
  try {
    // Ajv ignores an unknown format with a warning: values that it should refuse would be accepted.
    const warnings: unknown[] = [];
    const warn = (warning: unknown) => warnings.push(warning);
    const logger = { warn, log: () => undefined, error: () => undefined };
    const ajv = createOptionsAjv({ validateSchema: true, logger });
    const validate = ajv.compile(schema);
    // `$async` is ajv's own keyword: validation would return a promise, which would count as true.
    if ('$async' in validate) return '$async is no keyword of JSON Schema';
    // Ajv ignores unknown keywords: an option that stands beside `properties` would accept any value.
    const isOption = ([key, value]: [string, unknown]) =>
      value instanceof Object && !Array.isArray(value) && !ajv.getKeyword(key) && !ANNOTATION.test(key);
    const stray = Object.entries(schema).find(isOption);
    if (stray) return `there is no keyword "${stray[0]}": what can be set stands under properties`;
    const { type = 'object' } = schema as { type?: unknown };
    if (![type].flat().includes('object'))
      return 'its type must be object: what can be set stands under properties';
    return warnings.length > 0 ? String(warnings[0]) : undefined;
  } catch (error) {
    return messageOf(error);
  }
}
