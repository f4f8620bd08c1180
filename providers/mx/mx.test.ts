import { unknown } from 'postern/provider-kit';
import { fakeDns } from 'postern/provider-kit/testing';
import { runContract } from 'postern/provider-kit/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDnsResolver } from '../../src/net/create-dns-resolver.ts';
import type { DnsAnswer, MxRecord } from '../../src/provider-kit/index.ts';
import { anAddress } from '../../test/support/addresses.ts';
import { prepareCheck } from '../../test/support/check-with.ts';
import { type Behaviour, type DnsServer, startDnsServer } from '../../test/support/dns-server.ts';
import { isHostName, isReachable } from './address-range.ts';
import { KNOWN_PROVIDERS, loadExchangeOwners, ownerOf } from './exchange-owner.ts';
import mx from './index.ts';

const to = (...exchanges: string[]) => ({
  MX: exchanges.map((exchange, index) => ({ exchange, preference: 10 * (index + 1) })),
});
const ZONE = {
  'good.test': to('mx.good.test'),
  'mx.good.test': { A: ['203.0.113.5'] },
  'six.test': to('mx6.six.test'),
  'mx6.six.test': { AAAA: ['2606:4700::1'] },
  'google.test': to('aspmx.l.google.com', 'alt1.aspmx.l.google.com'),
  'notgoogle.test': to('mx.notgoogle.com'),
  'mx.notgoogle.com': { A: ['203.0.113.6'] },
  'null.test': to('.'),
  'mixed-null.test': to('.', 'mx.good.test'),
  'private.test': to('mx.private.test', 'v6.private.test'),
  'mx.private.test': { A: ['10.0.0.1', '192.168.1.1'] },
  'v6.private.test': { AAAA: ['fd00::1', 'fe80::1'] },
  'half-private.test': to('mx.private.test', 'mx.good.test'),
  'loopback.test': to('localhost'),
  'written.test': to('127.0.0.1'),
  'backup.test': to('mx.private.test', 'v6.private.test', 'mx.good.test'),
  'all-private.test': to('mx.private.test', 'v6.private.test', 'localhost'),
  'two-good.test': to('mx.good.test', 'mx6.six.test', 'mx.private.test'),
  'six-hosts.test': to('a.gone', 'b.gone', 'c.gone', 'd.gone', 'e.gone', 'f.gone'),
  'dangling.test': to('gone.dangling.test'),
  'implicit.test': { A: ['203.0.113.7'] },
  'implicit-private.test': { A: ['192.168.0.9'] },
  'bare.test': {},
  'aliased.test': { CNAME: 'good.test' },
  'open-alias.test': { CNAME: 'good.test', leavesOpen: true },
  'alias-to-gone.test': { CNAME: 'gone.test' },
  'to-alias.test': to('alias.to-alias.test'),
  'alias.to-alias.test': { CNAME: 'mx.good.test', leavesOpen: true },
  'to-private-alias.test': to('alias.to-private-alias.test'),
  'alias.to-private-alias.test': { CNAME: 'mx.private.test' },
  'literal.test': to('203.0.113.9'),
  'literal-and-good.test': to('203.0.113.9', 'localhost', 'mx.good.test'),
  'mixed.test': to('mx.mixed.test'),
  'mx.mixed.test': { A: ['10.0.0.1'], AAAA: ['2606:4700::2'] },
  'odd.test': to('mx \u001b[31m.odd.test'),
  'many.test': to(...Array.from({ length: 64 }, (_, index) => `mx${index}.a-rather-long-name.many.test`)),
  'many-google.test': to(
    ...Array.from({ length: 63 }, (_, index) => `mx${index}.a-rather-long-name.many.test`),
    'aspmx.l.google.com',
  ),
  'day.test': { ...to('mx.minute.test'), ttl: 86_400 },
  'mx.minute.test': { A: ['203.0.113.8'], AAAA: ['2606:4700::3'], ttl: 90 },
} as const;

let server: DnsServer;
let given: Parameters<typeof prepareCheck>[1];
beforeEach(async () => {
  server = await startDnsServer(ZONE);
  given = { dns: createDnsResolver({ servers: [server.address], timeoutMs: 5_000, dohUrl: null }) };
});
afterEach(() => server.close());

const ask = async (domain: string) => (await prepareCheck(mx, given)).ask(anAddress('x', domain));
const facts = (hasMx: unknown, outcome: unknown, provider: string) => ({
  facts: { 'domain.has_mx': hasMx, 'mx.outcome': outcome, 'mx.provider': provider },
});

describe('a domain', () => {
  it.each([
    ['good.test', true, 'mx', 'other'],
    ['six.test', true, 'mx', 'other'],
    ['google.test', true, 'mx', 'google'],
    ['notgoogle.test', true, 'mx', 'other'],
    ['mixed-null.test', true, 'mx', 'other'],
    ['half-private.test', true, 'mx', 'other'],
    ['backup.test', true, 'mx', 'other'],
    ['six-hosts.test', true, 'mx', 'other'],
    ['all-private.test', false, 'private_mx', 'other'],
    ['dangling.test', true, 'unresolvable_mx', 'other'],
    ['null.test', false, 'null_mx', 'none'],
    ['private.test', false, 'private_mx', 'other'],
    ['loopback.test', false, 'null_mx', 'none'],
    ['written.test', false, 'null_mx', 'none'],
    ['implicit.test', false, 'implicit_mx', 'none'],
    ['implicit-private.test', false, 'private_mx', 'none'],
    ['bare.test', false, 'no_mail_host', 'none'],
    ['gone.test', false, 'nxdomain', 'none'],
    ['aliased.test', true, 'mx', 'other'],
    ['open-alias.test', true, 'mx', 'other'],
    ['alias-to-gone.test', false, 'nxdomain', 'none'],
    ['to-alias.test', true, 'mx', 'other'],
    ['to-private-alias.test', false, 'private_mx', 'other'],
    ['literal.test', false, 'null_mx', 'none'],
    ['literal-and-good.test', true, 'mx', 'other'],
    ['mixed.test', true, 'mx', 'other'],
    ['odd.test', true, 'unresolvable_mx', 'other'],
    ['many.test', true, 'mx', 'other'],
    ['many-google.test', true, 'mx', 'google'],
  ])('%s has MX: %s, %s at %s', async (domain, hasMx, outcome, provider) => {
    expect(await ask(domain)).toMatchObject(facts(hasMx, outcome, provider));
  });

  it.each([
    ['[192.0.2.1]', 'literal'],
    ['localhost', 'dotless'],
  ] as const)('%s is answered without a DNS query', async (domain, domainKind) => {
    const { ask: check } = await prepareCheck(mx, given);
    expect(await check(anAddress('x', domain, { domainKind }))).toEqual(facts(false, 'not_a_name', 'none'));
    expect(server.queries).toEqual([]);
  });

  it('of a known provider needs one DNS query', async () => {
    await ask('google.test');
    expect(server.queries.map(({ type }) => type)).toEqual(['MX']);
  });

  it('needs address queries for its two most preferred exchanges when one is public', async () => {
    await ask('two-good.test');
    const asked = new Set(server.queries.map(({ name }) => name));
    expect(asked).toEqual(new Set(['two-good.test', 'mx.good.test', 'mx6.six.test']));
  });

  it('never needs address queries for more than five exchanges', async () => {
    await ask('six-hosts.test');
    const asked = new Set(server.queries.map(({ name }) => name));
    expect(asked).toEqual(new Set(['six-hosts.test', 'a.gone', 'b.gone', 'c.gone', 'd.gone', 'e.gone']));
  });
});

describe('an answer', () => {
  it('has the shortest TTL of the records that it is made of', async () => {
    expect(await ask('day.test')).toMatchObject({ ttlSeconds: 90 });
    expect(await ask('google.test')).toMatchObject({ ttlSeconds: 300 });
  });

  it('that needed no query has no TTL', async () => {
    const { ask: check } = await prepareCheck(mx, given);
    expect(await check(anAddress('x', 'localhost', { domainKind: 'dotless' }))).not.toHaveProperty(
      'ttlSeconds',
    );
  });

  it.each<Behaviour>(['impostors_first', 'twice', 'truncated', 'cut_in_record', 'no_edns'])(
    'is the same from a server that is %s',
    async (behaviour) => {
      server.setBehaviour(behaviour);
      expect(await ask('private.test')).toMatchObject(facts(false, 'private_mx', 'other'));
      expect(await ask('good.test')).toMatchObject(facts(true, 'mx', 'other'));
    },
  );
});

describe('a failure', () => {
  const failures: [Behaviour, string][] = [
    ['servfail', 'servfail'],
    ['refusing', 'refused'],
    ['malformed', 'malformed'],
    ['half', 'malformed'],
    ['pointer_loop', 'malformed'],
    ['referral', 'error'],
    [{ overTcp: 'hang_up_halfway' }, 'malformed'],
  ];

  it.each(failures)('of a server that is %j makes all facts unknown: %s', async (behaviour, reason) => {
    server.setBehaviour(behaviour);
    expect(await ask('good.test')).toMatchObject({ unknown: reason });
  });

  it('of one server does not matter when the other answers', async () => {
    const second = await startDnsServer(ZONE);
    server.setBehaviour('servfail');
    given = {
      dns: createDnsResolver({
        servers: [server.address, second.address],
        timeoutMs: 5_000,
        dohUrl: null,
      }),
    };
    expect(await ask('good.test')).toMatchObject(facts(true, 'mx', 'other'));
    await second.close();
  });

  it('because a server is silent is a timeout', async () => {
    server.setBehaviour('silent');
    given = { dns: createDnsResolver({ servers: [server.address], timeoutMs: 30, dohUrl: null }) };
    expect(await ask('good.test')).toMatchObject({ unknown: 'timeout' });
  });

  it.each(failures)(
    'of the second look-up (%j) makes only what depends on it unknown',
    async (behaviour, reason) => {
      server.setBehaviour(behaviour, 'mx.good.test');
      expect(await ask('good.test')).toMatchObject(facts({ unknown: reason }, { unknown: reason }, 'other'));
    },
  );

  it('of one exchange does not matter when the other is reachable', async () => {
    server.setBehaviour('servfail', 'mx.private.test');
    expect(await ask('half-private.test')).toMatchObject(facts(true, 'mx', 'other'));
  });

  it('of one exchange makes it unknown that the other is private', async () => {
    server.setBehaviour('servfail', 'v6.private.test');
    expect(await ask('private.test')).toMatchObject(
      facts({ unknown: 'servfail' }, { unknown: 'servfail' }, 'other'),
    );
  });

  it('of one address family makes it unknown that the other is private', async () => {
    const partial = { outcome: 'found', records: ['10.0.0.1'], partial: true } as const;
    given = { dns: fake([{ exchange: 'mx.x.org', preference: 1 }], partial) };
    expect(await ask('x.org')).toMatchObject(facts({ unknown: 'error' }, { unknown: 'error' }, 'other'));
  });

  it('of the look-up after an absent MX leaves has_mx known and false', async () => {
    given = { dns: fake([], { outcome: 'timeout' }) };
    expect(await ask('x.org')).toMatchObject(facts(false, { unknown: 'timeout' }, 'none'));
  });

  it('where no resolver is provided is an error, not a missing MX', async () => {
    given = {};
    expect(await ask('good.test')).toMatchObject({ unknown: 'error' });
  });
});

function fake(records: readonly MxRecord[], addresses: DnsAnswer<string>) {
  return {
    mx: async () =>
      records.length > 0 ? { outcome: 'found' as const, records } : { outcome: 'nodata' as const },
    addresses: async () => addresses,
  };
}

it('has a row with a source for each mail provider that it can answer', () => {
  expect(new Set(loadExchangeOwners().values())).toEqual(new Set(KNOWN_PROVIDERS));
});

it.each([
  ['aspmx.l.google.com', 'google'],
  ['x-org.mail.protection.outlook.com', 'microsoft'],
  ['mta5.am0.yahoodns.net', 'yahoo'],
  ['mail.protonmail.ch', 'proton'],
  ['notgoogle.com', undefined],
  ['google.com.evil.org', undefined],
  ['com', undefined],
])('attributes %s to %s', (exchange, owner) => {
  expect(ownerOf(exchange, loadExchangeOwners())).toBe(owner);
});

it.each([
  ...[
    '10.1.2.3',
    '172.16.0.1',
    '192.168.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
  ],
  ...[
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'not an address',
    '',
  ],
])('cannot be reached from outside: %j', (address) => expect(isReachable(address)).toBe(false));

it.each(['8.8.8.8', '203.0.113.5', '172.32.0.1', '2606:4700::1', '::ffff:8.8.8.8'])(
  'can be reached from outside: %s',
  (address) => expect(isReachable(address)).toBe(true),
);

it.each([
  ...[
    '',
    'localhost',
    'LOCALHOST',
    'mail.localhost',
    '203.0.113.9',
    '127.0.0.1',
    '0.0.0.0',
    '255.255.255.255',
  ],
  ...['2001:db8::1', '::1', '::ffff:10.0.0.1', '[203.0.113.9]', '[IPv6:2001:db8::1]', '[::1]'],
])('is not a mail exchanger: %j', (exchange) => expect(isHostName(exchange)).toBe(false));

it.each([
  'mx.example.com',
  '10.1',
  '1.2.3.4.example.com',
  'localhost.example.com',
  'mylocalhost',
  '203-0-113-9.example',
])('may be a mail exchanger: %j', (exchange) => expect(isHostName(exchange)).toBe(true));

runContract(mx, {
  given: {
    ports: {
      dns: fakeDns({
        'firm.example': { mx: ['aspmx.l.google.com'] },
        'own.example': { mx: ['mail.own.example'] },
        'mail.own.example': { addresses: ['198.51.100.7'] },
        'half.example': { mx: ['mail.half.example'] },
        'mail.half.example': 'servfail',
      }),
    },
  },
  cases: [
    {
      email: 'jane@firm.example',
      expect: { 'domain.has_mx': true, 'mx.outcome': 'mx', 'mx.provider': 'google' },
      evidence: { exchanges: ['aspmx.l.google.com'] },
    },
    { email: 'jane@own.example', expect: { 'domain.has_mx': true, 'mx.provider': 'other' } },
    { email: 'jane@nowhere.example', expect: { 'domain.has_mx': false, 'mx.outcome': 'nxdomain' } },
    {
      email: 'jane@half.example',
      expect: { 'domain.has_mx': unknown('servfail'), 'mx.provider': 'other' },
    },
  ],
});
