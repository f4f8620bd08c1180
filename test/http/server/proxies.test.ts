import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientAddress, createPlainGate } from '../../../src/http/server/proxies.ts';

const from = (peer: string | undefined, forwarded?: string) =>
  // The parts of a request that clientAddress reads.
  ({
    socket: { remoteAddress: peer },
    headers: { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;
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

const PEER = '10.0.0.1';
const CLIENT = '203.0.113.1';
const serves = (headers: Record<string, string | undefined>) =>
  createPlainGate(PROXIES, () => {})({
    socket: { remoteAddress: PEER },
    headers,
  } as unknown as IncomingMessage);

/** A request of a client through this many trusted proxies, each of which adds its peer's address and scheme. */
const journeys = fc
  .record({
    schemes: fc.array(fc.constantFrom('https', 'https', 'http', 'HTTPS', 'Https', 'HTTP'), {
      minLength: 1,
      maxLength: 4,
    }),
    saidByClient: fc.array(fc.constantFrom('https', 'http', '', 'HTTPS', 'x;y'), { maxLength: 4 }),
    addressesByClient: fc.array(fc.constantFrom('1.1.1.1', '10.0.0.9', '', 'unknown'), { maxLength: 4 }),
    comma: fc.constantFrom(',', ', ', ' ,', ' ,\t '),
  })
  .map(({ schemes, saidByClient, addressesByClient, comma }) => ({
    schemes,
    comma,
    said: [...saidByClient, ...schemes],
    // The nearest proxy is the peer; the others follow the client's address.
    addresses: [...addressesByClient, CLIENT, ...schemes.slice(1).map((_, index) => `10.0.0.${9 - index}`)],
    isWholeInHttps: schemes.every((scheme) => scheme.toLowerCase() === 'https'),
  }));

describe('the plain port behind trusted proxies', () => {
  it.each([
    ['http, https', '203.0.113.1, 10.0.0.2', false],
    ['https, http', '203.0.113.1, 10.0.0.2', false],
    ['https, https', '203.0.113.1, 10.0.0.2', true],
    ['https', '203.0.113.1, 10.0.0.2', true],
    ['http', '203.0.113.1, 10.0.0.2', false],
    ['http, https, https', '203.0.113.1, 10.0.0.2', true],
    ['http, https', '203.0.113.1', true],
    ['https, http', '203.0.113.1', false],
    ['http, https', undefined, false],
    ['http, https', '10.0.0.2', false],
    ['http, https', 'unknown', false],
    ['http, https', '203.0.113.1, , 10.0.0.2', false],
    [', https', '203.0.113.1, 10.0.0.2', false],
    ['https, ', '203.0.113.1', false],
    ['', '203.0.113.1', false],
  ])('X-Forwarded-Proto: %s by X-Forwarded-For: %s: served %s', (proto, forwarded, expected) => {
    expect(serves({ 'x-forwarded-proto': proto, 'x-forwarded-for': forwarded })).toBe(expected);
    const elements = proto.split(',').map((scheme) => (scheme.trim() === '' ? '' : `proto=${scheme.trim()}`));
    expect(serves({ forwarded: elements.join(', '), 'x-forwarded-for': forwarded })).toBe(expected);
  });

  it('serves exactly the requests that used HTTPS on every hop, whatever the client claimed', () => {
    fc.assert(
      fc.property(journeys, ({ said, addresses, comma, isWholeInHttps }) => {
        const proto = { 'x-forwarded-proto': said.join(comma) };
        const forwardedFor = { 'x-forwarded-for': addresses.join(comma) };
        expect(serves({ ...proto, ...forwardedFor })).toBe(isWholeInHttps);
        expect(clientAddress({ ...from(PEER), headers: forwardedFor }, PROXIES)).toBe(CLIENT);
      }),
      { numRuns: 300 },
    );
  });

  it('handles Forwarded like X-Forwarded-Proto', () => {
    fc.assert(
      fc.property(journeys, ({ schemes, addresses, comma, isWholeInHttps }) => {
        const forwarded = schemes.map((scheme) => `for="[2001:db8::1]:80";Proto="${scheme}"`).join(comma);
        const headers = { forwarded, 'x-forwarded-for': addresses.join(comma) };
        expect(serves(headers)).toBe(isWholeInHttps);
        expect(serves({ ...headers, forwarded: `proto=http${comma}${forwarded}` })).toBe(isWholeInHttps);
      }),
      { numRuns: 300 },
    );
  });

  it('requires HTTPS for every entry of a list with fewer entries than hops: some proxies add none', () => {
    fc.assert(
      fc.property(journeys, fc.nat(4), ({ schemes, addresses, comma }, untold) => {
        const told = schemes.slice(untold);
        const headers = told.length > 0 ? { 'x-forwarded-proto': told.join(comma) } : {};
        expect(serves({ ...headers, 'x-forwarded-for': addresses.join(comma) })).toBe(
          told.length > 0 && told.every((scheme) => scheme.toLowerCase() === 'https'),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('requires HTTPS for every entry where no address shows which entries the proxies added', () => {
    fc.assert(
      fc.property(journeys, ({ said, comma }) => {
        expect(serves({ 'x-forwarded-proto': said.join(comma) })).toBe(
          said.every((scheme) => scheme.toLowerCase() === 'https'),
        );
      }),
      { numRuns: 300 },
    );
  });
});
