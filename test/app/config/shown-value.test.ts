import { expect, it } from 'vitest';
import { shownValue } from '../../../src/app/config/describe-config.ts';

const SECRET = { type: 'string', secret: true };

it.each([
  ['s3cret', { anyOf: [{ type: 'null' }, SECRET] }, '[redacted]'],
  [null, { anyOf: [{ type: 'null' }, SECRET] }, null],
  [{ url: 'x', token: 's3cret' }, { properties: { token: SECRET } }, { url: 'x', token: '[redacted]' }],
  [
    [{ token: 's3cret' }, 5],
    { items: { oneOf: [{ properties: { token: SECRET } }] } },
    [{ token: '[redacted]' }, 5],
  ],
  ['redis://a:s3cret@b', { oneOf: [{ holds_password: true }] }, 'redis://a:[redacted]@b'],
  [{ a: [1, 'x'] }, {}, { a: [1, 'x'] }],
])('a secret is shown nowhere in an option: %j', (value, schema, shown) => {
  expect(shownValue(value, schema)).toEqual(shown);
});
