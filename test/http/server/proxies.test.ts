import { describe, expect, it } from 'vitest';
import { clientAddress } from '../../../src/http/server/proxies.ts';

const from = (peer: string | undefined, forwarded?: string) =>
  // Only what clientAddress reads of a request.
  ({ socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwarded } }) as unknown as Parameters<
    typeof clientAddress
  >[0];
const PROXIES = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::ffff:198.51.100.1'];

describe('clientAddress', () => {
  it.each([
    ['the peer when it is no proxy, whatever it says', '203.0.113.1', '1.1.1.1', '203.0.113.1'],
    ['the peer when a proxy says nothing', '10.0.0.1', undefined, '10.0.0.1'],
    ['what the proxy says', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['the right-most that is no proxy', '10.0.0.1', '1.1.1.1, 203.0.113.1, 10.9.9.9', '203.0.113.1'],
    ['the left-most when all are proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [
      'the last hop before an entry that is no address',
      '10.0.0.1',
      '203.0.113.1, unknown, 10.0.0.2',
      '10.0.0.2',
    ],
    ['an IPv4 peer in IPv6 clothes', '::ffff:10.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['an IPv4 client in IPv6 clothes', '10.0.0.1', '::ffff:203.0.113.1', '203.0.113.1'],
    ['an address with a port', '10.0.0.1', '203.0.113.1:5000', '203.0.113.1'],
    ['an IPv6 address with a port', '2001:db8::1', '[2001:dead::1]:5000', '2001:dead::1'],
    ['one behind a proxy that is named as a mapped address', '198.51.100.1', '203.0.113.1', '203.0.113.1'],
    ['nothing when the peer is gone', undefined, undefined, ''],
  ])('is %s', (_, peer, forwarded, expected) => {
    expect(clientAddress(from(peer, forwarded), PROXIES)).toBe(expected);
  });
});
