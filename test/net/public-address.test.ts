import { expect, it } from 'vitest';
import { chooseAddress, isPublicAddress } from '../../src/net/public-address.ts';

it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1b'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

it.each([
  ['this network', '0.0.0.0'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['link-local, and the metadata of clouds', '169.254.169.254'],
  ['documentation', '192.0.2.1'],
  ['documentation', '203.0.113.10'],
  ['benchmarking', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, written out', '0:0:0:0:0:0:0:1'],
  ['IPv4-mapped private', '::ffff:10.0.0.1'],
  ['IPv4-mapped public', '::ffff:8.8.8.8'],
  ['IPv4-mapped, in hex', '::ffff:7f00:1'],
  ['IPv4-compatible', '::8.8.8.8'],
  ['NAT64', '64:ff9b::8.8.8.8'],
  ['NAT64 of private use (RFC 8215)', '64:ff9b:1::8.8.8.8'],
  ['NAT64 in another prefix of ::/3', '64:ff9c::1'],
  ['6to4', '2002:7f00:1::1'],
  ['Teredo', '2001::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456::1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['public with a zone', '2606:4700::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['discard', '100::1'],
  ['documentation', '2001:db8::1'],
  ['outside 2000::/3', '4000::1'],
  ['octal or short forms', '0177.0.0.1'],
  ['octal or short forms', '127.1'],
  ['octal or short forms', '2130706433'],
  ['octal or short forms', '0x7f.0.0.1'],
  ['no address', 'example.com'],
  ['no address', ''],
])('%s (%s) is not public', (_what, address) => expect(isPublicAddress(address)).toBe(false));

it.each<[what: string, records: readonly string[], chosen: string | undefined]>([
  ['the public one among private ones', ['10.0.0.1', '::1', '8.8.4.4', '127.0.0.1'], '8.8.4.4'],
  ['IPv4 before IPv6', ['2606:4700::1', '8.8.4.4'], '8.8.4.4'],
  ['IPv6 where there is no other', ['fe80::1', '2606:4700::2', '2606:4700::1'], '2606:4700::1'],
  ['the same whatever the order', ['9.9.9.9', '8.8.8.8'], '8.8.8.8'],
  ['none where all are private', ['10.0.0.1', '::ffff:8.8.8.8', '169.254.169.254'], undefined],
  ['none where there is none', [], undefined],
])('accepts %s', (_what, records, chosen) => expect(chooseAddress(records, false)).toBe(chosen));

it('accepts a private one where that is allowed', () => {
  expect(chooseAddress(['::1', '127.0.0.1'], true)).toBe('127.0.0.1');
});
