import { expect, it } from 'vitest';
import { closestSuffix } from '../../src/provider-kit/index.ts';

const table = new Set(['example.org', 'deep.example.org', 'net', 'localhost']);

it.each([
  ['example.org', 'example.org'],
  ['a.example.org', 'example.org'],
  ['a.b.example.org', 'example.org'],
  ['a.deep.example.org', 'deep.example.org'],
  ['example.net', 'net'],
  ['localhost', 'localhost'],
  ['notexample.org', undefined],
  ['example.org.example', undefined],
  ['org', undefined],
  ['a..example.com', undefined],
  ['', undefined],
])('%j has the suffix %j', (name, suffix) => {
  expect(closestSuffix(name, table)).toBe(suffix);
});
