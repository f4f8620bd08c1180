import { expect, it } from 'vitest';
import { isPseudonym, pseudonymOf } from '../../dashboard/src/pages/checks/pseudonym.tsx';

it('a pseudonym is eight letters from the first forty bits of the hash, and no others', () => {
  expect(pseudonymOf('0'.repeat(64))).toBe('0000-0000');
  expect(pseudonymOf('f'.repeat(64))).toBe('zzzz-zzzz');
  expect(pseudonymOf(`0123456789${'a'.repeat(54)}`)).toBe(pseudonymOf(`0123456789${'b'.repeat(54)}`));
  expect(pseudonymOf(`0123456789${'a'.repeat(54)}`)).not.toBe(pseudonymOf(`0123456788${'a'.repeat(54)}`));
});

it.each([
  [' BYW6-m738 ', true],
  ['byw6m738', false],
  ['iloo-m738', false],
  ['known-bad', false],
])('%j is recognized as a pseudonym: %s', (text, expected) => {
  expect(isPseudonym(text)).toBe(expected);
});
