import { afterEach, beforeEach, expect, it } from 'vitest';
import { nameServerOf } from '../../src/lib/service-url.ts';
import { createDnsResolver } from '../../src/net/create-dns-resolver.ts';
import { type Behaviour, type DnsServer, startDnsServer } from '../support/dns-server.ts';

it.each([
  ['192.0.2.1', { host: '192.0.2.1', port: 53, family: 4 }],
  ['192.0.2.1:5353', { host: '192.0.2.1', port: 5353, family: 4 }],
  ['2001:db8::1', { host: '2001:db8::1', port: 53, family: 6 }],
  ['[2001:db8::1]', { host: '2001:db8::1', port: 53, family: 6 }],
  ['[2001:db8::1]:5353', { host: '2001:db8::1', port: 5353, family: 6 }],
  ['fe80::1%eth0', { host: 'fe80::1%eth0', port: 53, family: 6 }],
])('reads %s', (text, address) => expect(nameServerOf(text)).toEqual(address));

it.each(['dns.test', 'dns.test:53', '192.0.2', '', '[192.0.2.1]x'])('refuses %j', (text) => {
  expect(nameServerOf(text)).toBeUndefined();
  expect(() => createDnsResolver({ servers: [text], timeoutMs: 300, dohUrl: null })).toThrow(
    'is no address of a name server',
  );
});

const ZONE = { 'mail.test': { MX: [{ exchange: 'mx.mail.test', preference: 10 }] } };
const never = new AbortController().signal;

let first: DnsServer;
let second: DnsServer;
const askFor = (name: string, timeoutMs = 5_000) =>
  createDnsResolver({ servers: [first.address, second.address], timeoutMs, dohUrl: null }).mx(name, never);

beforeEach(async () => {
  [first, second] = await Promise.all([startDnsServer(ZONE), startDnsServer(ZONE)]);
});
afterEach(() => Promise.all([first.close(), second.close()]));

it('does not ask the second one while the first answers', async () => {
  expect(await askFor('gone.test')).toMatchObject({ outcome: 'nxdomain' });
  expect(second.queries).toEqual([]);
});

it.each<Behaviour>(['servfail', 'refusing', 'malformed', 'bad_version', 'referral', { overTcp: 'hang_up' }])(
  'asks the second one at once when the first is %j',
  async (behaviour) => {
    first.setBehaviour(behaviour);
    expect(await askFor('mail.test')).toMatchObject({ outcome: 'found' });
    expect(second.queries).toHaveLength(1);
  },
);

it.each<Behaviour>(['silent', 'wrong_id', { overTcp: 'silent' }])(
  'asks the second one when the first is %j',
  async (behaviour) => {
    first.setBehaviour(behaviour);
    expect(await askFor('mail.test', 300)).toMatchObject({ outcome: 'found' });
  },
);

it.each<[Behaviour, Behaviour, string]>([
  ['servfail', 'refusing', 'servfail'],
  ['refusing', 'servfail', 'servfail'],
  ['malformed', 'refusing', 'refused'],
  ['bad_version', 'malformed', 'malformed'],
])('returns for one that is %s and one that is %s: %s', async (one, other, outcome) => {
  first.setBehaviour(one);
  second.setBehaviour(other);
  expect(await askFor('mail.test')).toEqual({ outcome });
});

it('returns the failure of one when the other does not reply', async () => {
  first.setBehaviour('silent');
  second.setBehaviour('servfail');
  expect(await askFor('mail.test', 300)).toEqual({ outcome: 'servfail' });
});
