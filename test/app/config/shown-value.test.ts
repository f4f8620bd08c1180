import { expect, it } from 'vitest';
import { shownValue } from '../../../src/app/config/describe-config.ts';
import { placeIn } from '../../../src/lib/json-schema.ts';

const SECRET = { type: 'string', secret: true };

it.each([
  ['s3cret', { anyOf: [{ type: 'null' }, SECRET] }, '[redacted]'],
  [null, { anyOf: [{ type: 'null' }, SECRET] }, null],
  [{ url: 'x', token: 's3cret' }, { properties: { token: SECRET } }, { url: 'x', token: '[redacted]' }],
  [[{ token: 's3cret' }, 5], { items: { oneOf: [{ properties: { token: SECRET } }] } }, '[redacted]'],
  ['redis://a:s3cret@b', { oneOf: [{ holds_password: true }] }, 'redis://a:[redacted]@b'],
  [{ a: [1, 'x'] }, {}, { a: [1, 'x'] }],
  [
    { a: 1, token: 's3cret', x_1: 's3cret' },
    {
      properties: { a: {}, token: {} },
      dependentSchemas: { a: { properties: { token: SECRET } } },
      patternProperties: { '^x_': SECRET },
      additionalProperties: SECRET,
    },
    '[redacted]',
  ],
  [{ s3cret: 'jane' }, { propertyNames: SECRET }, '[redacted]'],
  [['a', 's3cret'], { prefixItems: [{}], items: SECRET }, '[redacted]'],
  // A schema that references itself.
  [
    { next: { next: { token: 's3cret', depth: 2 } } },
    { properties: { next: { $ref: '#' }, token: SECRET, depth: {} } },
    { next: '[redacted]' },
  ],
  ['s3cret', { $ref: '#key', $defs: { key: { $anchor: 'key', ...SECRET } } }, '[redacted]'],
  ['plain', { $ref: '#key', $defs: { key: { $anchor: 'key' } } }, 'plain'],
])('a secret is not shown anywhere in an option: %j', (value, schema, shown) => {
  expect(shownValue(value, placeIn(schema))).toEqual(shown);
});
