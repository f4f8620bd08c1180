import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDnsResolver } from '../../src/net/create-dns-resolver.ts';
import type { DnsResolver } from '../../src/provider-kit/index.ts';
import { type Behaviour, type DnsServer, startDnsServer } from '../support/dns-server.ts';

const ZONE = {
  'mail.test': {
    MX: [
      { exchange: 'Backup.Mail.test', preference: 20 },
      { exchange: 'mx.mail.test', preference: 10 },
    ],
  },
  'mx.mail.test': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] },
  'v4.test': { A: ['192.0.2.3'] },
  'null.test': { MX: [{ exchange: '.', preference: 0 }] },
  'empty.test': {},
  'alias.test': { CNAME: 'mail.test' },
  'alias-to-empty.test': { CNAME: 'empty.test' },
};
const never = new AbortController().signal;

let server: DnsServer;
let resolver: DnsResolver;

beforeEach(async () => {
  server = await startDnsServer(ZONE);
  resolver = createDnsResolver({ servers: [server.address], timeoutMs: 5_000, dohUrl: null });
});
afterEach(() => server.close());

describe('mx', () => {
  it('gives the exchanges best first, in lower case and without a final dot', async () => {
    expect(await resolver.mx('mail.test', never)).toEqual({
      outcome: 'found',
      records: [
        { exchange: 'mx.mail.test', preference: 10 },
        { exchange: 'backup.mail.test', preference: 20 },
      ],
    });
  });

  it('gives the null MX of RFC 7505 as an empty exchange', async () => {
    expect(await resolver.mx('null.test', never)).toEqual({
      outcome: 'found',
      records: [{ exchange: '', preference: 0 }],
    });
  });

  it.each([
    ['gone.test', 'nxdomain'],
    ['empty.test', 'nodata'],
    ['alias-to-empty.test', 'nodata'],
    ['alias.test', 'found'],
    [`${'x'.repeat(64)}.test`, 'nxdomain'],
  ])('answers %s with %s', async (name, outcome) => {
    expect(await resolver.mx(name, never)).toMatchObject({ outcome });
  });

  it.each(['localhost', 'mail', 'a.localhost', 'a.invalid', 'a.onion', '[192.0.2.1]', ''])(
    'never asks about %j',
    async (name) => {
      expect(await resolver.mx(name, never)).toEqual({ outcome: 'nxdomain' });
      expect(server.queries).toEqual([]);
    },
  );
});

describe('addresses', () => {
  it('gives both families together', async () => {
    expect(await resolver.addresses('mx.mail.test', never)).toEqual({
      outcome: 'found',
      records: expect.arrayContaining(['192.0.2.1', '192.0.2.2', '2001:db8::1']),
    });
  });

  it.each([
    ['v4.test', { outcome: 'found', records: ['192.0.2.3'] }],
    ['gone.test', { outcome: 'nxdomain' }],
    ['empty.test', { outcome: 'nodata' }],
    ['localhost', { outcome: 'found', records: ['127.0.0.1', '::1'] }],
    ['host', { outcome: 'nxdomain' }],
  ])('answers %s with %j', async (name, answer) => {
    expect(await resolver.addresses(name, never)).toEqual(answer);
  });
});

describe('failures', () => {
  const failures: [Behaviour, string][] = [
    ['refusing', 'refused'],
    ['servfail', 'servfail'],
    ['malformed', 'malformed'],
  ];
  it.each(failures)('says of a server that is %s: %s', async (behaviour, outcome) => {
    server.setBehaviour(behaviour);
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome });
    expect(await resolver.addresses('mx.mail.test', never)).toEqual({ outcome });
  });

  it.each(['silent', 'wrong_id', 'wrong_name'] as const)(
    'says timeout of a server that is %s, when our own timer says so',
    async (behaviour) => {
      server.setBehaviour(behaviour);
      const hasty = createDnsResolver({ servers: [server.address], timeoutMs: 40, dohUrl: null });
      expect(await hasty.mx('mail.test', never)).toEqual({ outcome: 'timeout' });
      expect(server.queries).not.toEqual([]);
    },
  );

  it('takes a truncated answer over TCP', async () => {
    server.setBehaviour('truncated');
    expect(await resolver.mx('mail.test', never)).toMatchObject({ outcome: 'found' });
    expect(server.queries.map(({ transport }) => transport)).toEqual(['udp', 'tcp']);
  });

  it('waits for a slow server', async () => {
    server.setBehaviour({ slowMs: 20 });
    expect(await resolver.mx('mail.test', never)).toMatchObject({ outcome: 'found' });
  });

  it('says error, not refused, when nobody listens there', async () => {
    await server.close();
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome: 'error' });
    server = await startDnsServer(ZONE);
  });

  it('answers at once when the caller gives up', async () => {
    server.setBehaviour('silent');
    const caller = new AbortController();
    const answer = resolver.mx('mail.test', caller.signal);
    caller.abort();
    expect(await answer).toEqual({ outcome: 'timeout' });
    expect(await resolver.mx('mail.test', caller.signal)).toEqual({ outcome: 'timeout' });
  });

  it('refuses a server that is no address when it is made', () => {
    expect(() => createDnsResolver({ servers: ['dns.test'], timeoutMs: 1, dohUrl: null })).toThrow();
  });
});
