import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { configSchema } from '../src/app/config/schema.ts';
import { MAILBOX_TABLE } from '../src/email/mailbox-providers.ts';
import { CHECK_RESPONSE } from '../src/http/v1/check.presenter.ts';
import { discoverProviders } from '../src/signals/discover-providers.ts';

const { enabled: providers } = await discoverProviders({ enabled: null, paths: [] });

// The service compiles its own schemas without this check, which would take a large part of its start.
it.each([
  ['config/schema.json', configSchema],
  ['the response', CHECK_RESPONSE],
  ['the table of mailbox providers', MAILBOX_TABLE],
  ...providers.flatMap(({ id, options, thresholds }) =>
    Object.entries({ options, thresholds })
      .filter(([, schema]) => schema !== undefined)
      .map(([member, schema]): [string, object] => [`${member} of ${id}`, Object(schema)]),
  ),
])('%s is a JSON Schema of the 2020-12 draft', (_name, schema) => {
  const ajv = new Ajv2020();
  expect(ajv.validateSchema(schema), ajv.errorsText(ajv.errors)).toBe(true);
});
