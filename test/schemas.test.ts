import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { configSchema } from '../src/config/schema.ts';
import { CHECK_RESPONSE } from '../src/http/v1/check.schema.ts';

// The service compiles its own schemas without this check, which takes a good part of its start.
it.each([
  ['config/schema.json', configSchema],
  ['the response', CHECK_RESPONSE],
])('%s is a JSON Schema of the 2020-12 draft', (_name, schema) => {
  const ajv = new Ajv2020();
  expect(ajv.validateSchema(schema), ajv.errorsText(ajv.errors)).toBe(true);
});
