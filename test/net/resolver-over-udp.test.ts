import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDnsResolver } from '../../src/net/create-dns-resolver.ts';
import type { DnsResolver } from '../../src/provider-kit/index.ts';
import { type Behaviour, type DnsServer, startDnsServer } from '../support/dns-server.ts';

const MANY = Array.from({ length: 64 }, (_, index) => ({
  exchange: `mx${index}.a-rather-long-name.many.test`,
  preference: 1000 - index,
}));
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
  'odd.test': { MX: [{ exchange: 'mx\u001b[2J.odd.test', preference: 0 }] },
  'many.test': { MX: MANY },
  'empty.test': {},
  'alias.test': { CNAME: 'mail.test' },
  'alias-to-empty.test': { CNAME: 'empty.test' },
  'alias-to-gone.test': { CNAME: 'gone.test' },
  'open.test': { CNAME: 'open-two.test', leavesOpen: true },
  'open-two.test': { CNAME: 'mail.test', leavesOpen: true },
  'open-to-nobody.test': { CNAME: 'localhost', leavesOpen: true },
  'loop.test': { CNAME: 'loop-two.test', leavesOpen: true },
  'loop-two.test': { CNAME: 'loop.test', leavesOpen: true },
} as const;
const never = new AbortController().signal;

let server: DnsServer;
let resolver: DnsResolver;

const resolverWith = (timeoutMs: number, ...servers: readonly DnsServer[]) =>
  createDnsResolver({ servers: servers.map(({ address }) => address), timeoutMs, dohUrl: null });

beforeEach(async () => {
  server = await startDnsServer(ZONE);
  resolver = resolverWith(5_000, server);
});
afterEach(() => server.close());

describe('mx', () => {
  it('returns the exchanges in order of preference, in lower case and without a final dot', async () => {
    expect(await resolver.mx('mail.test', never)).toEqual({
      outcome: 'found',
      records: [
        { exchange: 'mx.mail.test', preference: 10 },
        { exchange: 'backup.mail.test', preference: 20 },
      ],
      ttlSeconds: 300,
    });
  });

  it('returns the null MX of RFC 7505 as an empty exchange', async () => {
    expect(await resolver.mx('null.test', never)).toMatchObject({
      records: [{ exchange: '', preference: 0 }],
    });
  });

  it('returns no byte of a name that a terminal would interpret', async () => {
    expect(await resolver.mx('odd.test', never)).toMatchObject({
      records: [{ exchange: 'mx\\027[2j.odd.test' }],
    });
  });

  it('returns all of 64 exchanges, over TCP because they fit in no datagram', async () => {
    const answer = await resolver.mx('many.test', never);
    expect(answer.outcome === 'found' && answer.records.map(({ preference }) => preference)).toEqual(
      MANY.map(({ preference }) => preference).sort((a, b) => a - b),
    );
    expect(server.queries.map(({ transport }) => transport)).toEqual(['udp', 'tcp']);
  });

  it.each([
    ['gone.test', 'nxdomain'],
    ['empty.test', 'nodata'],
    ['alias-to-empty.test', 'nodata'],
    ['alias-to-gone.test', 'nxdomain'],
    ['alias.test', 'found'],
    ['ALIAS.Test', 'found'],
    ['open.test', 'found'],
    ['open-to-nobody.test', 'nxdomain'],
    ['loop.test', 'servfail'],
  ])('answers %s with %s', async (name, outcome) => {
    expect(await resolver.mx(name, never)).toMatchObject({ outcome });
  });

  it('follows a chain of aliases that the server leaves open, up to eight', async () => {
    await resolver.mx('open.test', never);
    expect(server.queries.map(({ name }) => name)).toEqual(['open.test', 'open-two.test', 'mail.test']);
    await resolver.mx('loop.test', never);
    expect(server.queries).toHaveLength(3 + 9);
  });

  it.each([
    ...['localhost', 'mail', 'a.localhost', 'a.invalid', 'a.onion', '[192.0.2.1]', ''],
    ...[`${'x'.repeat(64)}.test`, 'a..test', '.test', `${'a.'.repeat(125)}test`, 'a\\.b.test', 'a b.test'],
  ])('never asks about %j', async (name) => {
    expect(await resolver.mx(name, never)).toEqual({ outcome: 'nxdomain' });
    expect(server.queries).toEqual([]);
  });
});

describe('addresses', () => {
  it('returns both families together', async () => {
    expect(await resolver.addresses('mx.mail.test', never)).toEqual({
      outcome: 'found',
      records: ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
      ttlSeconds: 300,
    });
  });

  it.each([
    ['v4.test', { outcome: 'found', records: ['192.0.2.3'] }],
    ['gone.test', { outcome: 'nxdomain' }],
    ['empty.test', { outcome: 'nodata' }],
    ['localhost', { outcome: 'found', records: ['127.0.0.1', '::1'] }],
    ['host', { outcome: 'nxdomain' }],
  ])('answers %s with %j', async (name, answer) => {
    expect(await resolver.addresses(name, never)).toMatchObject(answer);
  });
});

describe('a question', () => {
  it('has a random id and a port of its own, and accepts datagrams of 1232 bytes', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => resolver.mx(`${index}.test`, never)));
    const { queries } = server;
    expect(new Set(queries.map(({ port }) => port)).size).toBeGreaterThan(15);
    // Twenty ids of 65,536 collide once in 340 runs; two collisions occur once in 230,000.
    expect(new Set(queries.map(({ id }) => id)).size).toBeGreaterThan(18);
    expect(new Set(queries.map(({ udpPayloadSize }) => udpPayloadSize))).toEqual(new Set([1232]));
  });

  it('is asked once for all callers that wait, and not again within the TTL of its answer', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => resolver.mx('mail.test', never)));
    answers.push(await resolver.mx('MAIL.test', never));
    expect(answers.every(({ outcome }) => outcome === 'found')).toBe(true);
    expect(server.queries).toHaveLength(1);
  });
});

describe('a datagram that does not answer the question', () => {
  it('is ignored, from any sender: the right answer is waited for', async () => {
    server.setBehaviour('impostors_first');
    expect(await resolver.mx('mail.test', never)).toMatchObject({ outcome: 'found' });
    expect(server.queries).toHaveLength(1);
  });

  it.each(['wrong_id', 'wrong_name', 'wrong_type', 'wrong_port', 'echo', 'silent'] as const)(
    'leads to a timeout when nothing else arrives: %s',
    async (behaviour) => {
      server.setBehaviour(behaviour);
      expect(await resolverWith(60, server).mx('mail.test', never)).toEqual({ outcome: 'timeout' });
      expect(server.queries).not.toEqual([]);
    },
  );

  it('does no harm when it arrives after the deadline', async () => {
    server.setBehaviour({ slowMs: 60 }, 'mail.test');
    const hasty = resolverWith(30, server);
    expect(await hasty.mx('mail.test', never)).toEqual({ outcome: 'timeout' });
    // Asked when the late answers to the first question arrive, and answered correctly.
    server.setBehaviour({ slowMs: 100 }, 'gone.test');
    expect(await resolver.mx('gone.test', never)).toMatchObject({ outcome: 'nxdomain' });
  });

  it('does no harm when it is a duplicate of the answer', async () => {
    server.setBehaviour('twice');
    expect(await resolver.mx('mail.test', never)).toMatchObject({ outcome: 'found' });
    expect(await resolver.mx('null.test', never)).toMatchObject({ records: [{ exchange: '' }] });
  });
});

describe('failures', () => {
  it.each<[Behaviour, string]>([
    ['refusing', 'refused'],
    ['without_question', 'refused'],
    ['servfail', 'servfail'],
    ['malformed', 'malformed'],
    ['half', 'malformed'],
    ['pointer_loop', 'malformed'],
    ['lying_count', 'malformed'],
    ['bad_version', 'error'],
  ])('returns for a server that is %s: %s', async (behaviour, outcome) => {
    server.setBehaviour(behaviour);
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome });
    expect(await resolver.addresses('mx.mail.test', never)).toEqual({ outcome });
  });

  it('does not treat a referral as "no such record"', async () => {
    server.setBehaviour('referral');
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome: 'error' });
  });

  it('asks without EDNS where a server cannot read it', async () => {
    server.setBehaviour('no_edns');
    expect(await resolver.mx('mail.test', never)).toMatchObject({ outcome: 'found' });
    expect(server.queries.map(({ udpPayloadSize }) => udpPayloadSize)).toEqual([1232, undefined]);
  });

  it('waits for a slow server', async () => {
    server.setBehaviour({ slowMs: 20 });
    expect(await resolver.mx('mail.test', never)).toMatchObject({ outcome: 'found' });
  });

  it('returns error, not refused, when no server listens there', async () => {
    await server.close();
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome: 'error' });
    server = await startDnsServer(ZONE);
  });

  it('returns at once to a caller that cancels, and to the others with the answer', async () => {
    server.setBehaviour({ slowMs: 20 });
    const caller = new AbortController();
    const answer = resolver.mx('mail.test', caller.signal);
    const other = resolver.mx('mail.test', never);
    caller.abort();
    expect(await answer).toEqual({ outcome: 'timeout' });
    expect(await resolver.mx('mail.test', caller.signal)).toEqual({ outcome: 'timeout' });
    expect(await other).toMatchObject({ outcome: 'found' });
    expect(server.queries).toHaveLength(1);
  });

  it('refuses a server that is not an address when it is created', () => {
    expect(() => createDnsResolver({ servers: ['dns.test'], timeoutMs: 1, dohUrl: null })).toThrow(
      'dns.test',
    );
  });
});

describe('over TCP', () => {
  it.each(['truncated', 'cut_in_record', { overTcp: 'octet_by_octet' }] as const)(
    'accepts what is %j in a datagram',
    async (behaviour) => {
      server.setBehaviour(behaviour);
      expect(await resolver.mx('mail.test', never)).toMatchObject({ outcome: 'found' });
      expect(server.queries.map(({ transport }) => transport)).toEqual(['udp', 'tcp']);
    },
  );

  it.each([
    ['hang_up', 'error'],
    ['hang_up_halfway', 'malformed'],
    ['wrong_id', 'malformed'],
  ] as const)('returns for a server that does %s: %s', async (overTcp, outcome) => {
    server.setBehaviour({ overTcp });
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome });
  });

  it('returns timeout for a server that accepts the question and sends nothing', async () => {
    server.setBehaviour({ overTcp: 'silent' });
    expect(await resolverWith(60, server).mx('mail.test', never)).toEqual({ outcome: 'timeout' });
  });
});
