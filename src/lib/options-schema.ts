import type { Ajv2020, Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createAjv } from './json-schema.ts';
import { messageOf } from './thrown.ts';

/** For what providers declare: with the formats of JSON Schema beside our own, such as `uri`, `email`, `date` and `hostname`. */
export function createOptionsAjv(options: Options): Ajv2020 {
  const ajv = createAjv({ useDefaults: true, strict: false, logger: false, ...options });
  addFormats.default(ajv);
  return ajv;
}

/** Why something is no JSON Schema; undefined where it is one. Takes 30 to 70 ms, so that a test, not the start, judges built-in ones. */
export function faultOfSchema(schema: object): string | undefined {
  try {
    // A format that there is not is passed over, with a warning: what it should have refused would be taken.
    const warnings: unknown[] = [];
    const warn = (warning: unknown) => warnings.push(warning);
    const logger = { warn, log: () => undefined, error: () => undefined };
    const validate = createOptionsAjv({ validateSchema: true, logger }).compile(schema);
    // Ajv's own word: such a schema answers a promise, which would be taken for a yes.
    if ('$async' in validate) return '$async is no keyword of JSON Schema';
    return warnings.length > 0 ? String(warnings[0]) : undefined;
  } catch (error) {
    return messageOf(error);
  }
}
