import { expect, it } from 'vitest';
import { systemServers } from '../../src/net/create-dns-resolver.ts';

it('uses new servers within half a minute, and keeps the state of those that remain', () => {
  let now = 0;
  let addresses = ['192.0.2.1', '192.0.2.2'];
  const made: string[] = [];
  const current = systemServers(
    (address) => {
      made.push(address);
      return { address };
    },
    () => now,
    () => addresses,
  );
  const [, kept] = current();
  addresses = ['192.0.2.2', '192.0.2.3'];
  now = 29_999;
  expect(current().map(({ address }) => address)).toEqual(['192.0.2.1', '192.0.2.2']);
  now = 30_000;
  expect(current().map(({ address }) => address)).toEqual(addresses);
  expect(current()[0]).toBe(kept);
  expect(made).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3']);
});

it('reads the servers of this machine', () => {
  expect(
    systemServers(
      (address) => address,
      () => 0,
    )(),
  ).not.toEqual([]);
});
