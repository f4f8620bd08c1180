import { expect, it } from 'vitest';
import { addressAt, domains } from '../../bench/support/addresses.ts';
import { readAddress } from '../../src/email/read-address.ts';

const first = Array.from({ length: 50_000 }, (_, n) => addressAt(n));

it('gives each address once, and the same ones in every run', () => {
  expect(new Set(first).size).toBe(first.length);
  expect(first.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, n) => addressAt(n)));
});

it('gives only addresses that Postern can parse: a refusal would cost less than a check', () => {
  expect(first.slice(0, 2000).filter((address) => !readAddress(address).ok)).toEqual([]);
});

it('names every domain of the addresses, so that the DNS server can answer for them', () => {
  const known = new Set(domains());
  expect(first.filter((address) => !known.has(address.slice(address.indexOf('@') + 1)))).toEqual([]);
});
