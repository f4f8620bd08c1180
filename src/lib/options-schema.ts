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

/** Why an object is no JSON Schema; undefined where it is one. Takes 30 to 70 ms, so a test, not the start, checks built-in providers. */
export function faultOfSchema(schema: object): string | undefined {
  try {
    // Ajv ignores an unknown format with a warning: values that it should refuse would be accepted.
    const warnings: unknown[] = [];
    const warn = (warning: unknown) => warnings.push(warning);
    const logger = { warn, log: () => undefined, error: () => undefined };
    const validate = createOptionsAjv({ validateSchema: true, logger }).compile(schema);
    // `$async` is ajv's own keyword: validation would return a promise, which would count as true.
    if ('$async' in validate) return '$async is no keyword of JSON Schema';
    return warnings.length > 0 ? String(warnings[0]) : undefined;
  } catch (error) {
    return messageOf(error);
  }
}
