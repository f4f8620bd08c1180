import { expect, it } from 'vitest';
import { parseServerAddress } from '../../src/net/server-address.ts';

it.each([
  ['192.0.2.1', { host: '192.0.2.1', port: 53, family: 4 }],
  ['192.0.2.1:5353', { host: '192.0.2.1', port: 5353, family: 4 }],
  ['2001:db8::1', { host: '2001:db8::1', port: 53, family: 6 }],
  ['[2001:db8::1]', { host: '2001:db8::1', port: 53, family: 6 }],
  ['[2001:db8::1]:5353', { host: '2001:db8::1', port: 5353, family: 6 }],
  ['fe80::1%eth0', { host: 'fe80::1%eth0', port: 53, family: 6 }],
])('reads %s', (text, address) => expect(parseServerAddress(text)).toEqual(address));

it.each(['dns.test', 'dns.test:53', '192.0.2', '', '[192.0.2.1]x'])('refuses %j', (text) => {
  expect(() => parseServerAddress(text)).toThrow('is no address of a name server');
});
