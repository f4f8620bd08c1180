import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import packet from 'dns-packet';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDnsResolver } from '../../src/net/create-dns-resolver.ts';
import type { DnsResolver } from '../../src/provider-kit/index.ts';
import { type DohServer, startDohServer } from '../support/doh-server.ts';

const ORIGIN = 'https://doh.test';
const URL = `${ORIGIN}/dns-query`;
const never = new AbortController().signal;

let resolver: DnsResolver;

beforeAll(() => nock.disableNetConnect());
beforeEach(() => {
  resolver = createDnsResolver({ servers: [], timeoutMs: 5_000, dohUrl: URL });
});
afterEach(() => nock.cleanAll());
afterAll(() => nock.enableNetConnect());

type Answers = packet.Answer[];

/** Answers one question of the type, which must have RFC 8484's form. */
function answers(type: 'MX' | 'A' | 'AAAA', reply: Partial<packet.Packet>): void {
  nock(ORIGIN, {
    reqheaders: { 'content-type': 'application/dns-message', accept: 'application/dns-message' },
  })
    // These queries hold octets below 0x80 only, so nock hands them over as text.
    .post('/dns-query', (body: string) => {
      const query = packet.decode(Buffer.from(body));
      return query.id === 0 && query.questions?.[0]?.type === type;
    })
    .reply(200, async (request: Request) => {
      const query = packet.decode(Buffer.from(await request.arrayBuffer()));
      return packet.encode({ type: 'response', id: 0, questions: query.questions ?? [], ...reply });
    });
}

const mx = (name: string, exchange: string, preference: number): packet.Answer => ({
  type: 'MX',
  name,
  data: { exchange, preference },
});

describe('answers', () => {
  it('returns the exchanges in order of preference', async () => {
    answers('MX', { answers: [mx('mail.test', 'B.mail.test', 20), mx('mail.test', 'a.mail.test', 10)] });
    expect(await resolver.mx('mail.test', never)).toEqual({
      outcome: 'found',
      records: [
        { exchange: 'a.mail.test', preference: 10 },
        { exchange: 'b.mail.test', preference: 20 },
      ],
      ttlSeconds: 60,
    });
  });

  it('returns the null MX as an empty exchange', async () => {
    answers('MX', { answers: [mx('null.test', '.', 0)] });
    expect(await resolver.mx('null.test', never)).toMatchObject({
      records: [{ exchange: '', preference: 0 }],
    });
  });

  it('follows aliases and leaves out records of other names', async () => {
    const records: Answers = [
      { type: 'CNAME', name: 'alias.test', data: 'mail.test' },
      mx('mail.test', 'a.mail.test', 10),
      mx('stranger.test', 'evil.test', 1),
    ];
    answers('MX', { answers: records });
    expect(await resolver.mx('alias.test', never)).toMatchObject({ records: [{ exchange: 'a.mail.test' }] });
  });

  it('asks for both address families', async () => {
    answers('A', { answers: [{ type: 'A', name: 'mx.test', data: '192.0.2.1' }] });
    answers('AAAA', { answers: [{ type: 'AAAA', name: 'mx.test', data: '2001:db8::1' }] });
    expect(await resolver.addresses('mx.test', never)).toEqual({
      outcome: 'found',
      records: ['192.0.2.1', '2001:db8::1'],
      ttlSeconds: 60,
    });
  });

  it.each([
    [0, 'nodata'],
    [1, 'error'],
    [2, 'servfail'],
    [3, 'nxdomain'],
    [4, 'error'],
    [5, 'refused'],
  ])('reads response code %i without records as %s', async (flags, outcome) => {
    answers('MX', { flags });
    expect(await resolver.mx('mail.test', never)).toMatchObject({ outcome });
  });

  it('never asks about localhost, a single label or a reserved name', async () => {
    expect(await resolver.mx('localhost', never)).toEqual({ outcome: 'nxdomain' });
    expect(await resolver.addresses('192.0.2.1', never)).toEqual({ outcome: 'nxdomain' });
    expect(await resolver.addresses('mail', never)).toEqual({ outcome: 'nxdomain' });
    expect(await resolver.addresses('localhost', never)).toMatchObject({ records: ['127.0.0.1', '::1'] });
  });
});

describe('failures', () => {
  it.each([400, 404, 429, 500, 503])('returns error for HTTP status %i', async (status) => {
    nock(ORIGIN).post('/dns-query').reply(status, 'no');
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome: 'error' });
  });

  it('follows no redirect', async () => {
    nock(ORIGIN).post('/dns-query').reply(307, '', { location: 'https://elsewhere.test/' });
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome: 'error' });
  });

  it('returns error when the server cannot be reached', async () => {
    nock(ORIGIN).post('/dns-query').replyWithError('connection reset');
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome: 'error' });
  });

  it.each([
    ['octets that are no DNS message', '\u0001\u0002'],
    ['an HTML page', '<!doctype html><title>Sign in to the network</title>'],
    ['nothing', ''],
  ])('returns malformed for %s', async (_what, body) => {
    nock(ORIGIN).post('/dns-query').reply(200, body);
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome: 'malformed' });
  });

  it.each<[string, Partial<packet.Packet>]>([
    ['an answer to another question', { questions: [{ type: 'MX', name: 'other.test' }] }],
    ['a query', { type: 'query' }],
    ['a truncated message', { flags: packet.TRUNCATED_RESPONSE }],
  ])('returns malformed for %s', async (_what, reply) => {
    answers('MX', reply);
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome: 'malformed' });
  });

  it('returns malformed for an answer that is longer than a DNS message can be', async () => {
    const question = { type: 'MX', name: 'mail.test' } as const;
    const answer = packet.encode({ type: 'response', id: 0, questions: [question] });
    nock(ORIGIN)
      .post('/dns-query')
      .reply(200, Buffer.concat([answer, Buffer.alloc(65_536)]));
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome: 'malformed' });
  });

  it('returns timeout when the answer does not arrive in time', async () => {
    nock(ORIGIN).post('/dns-query').delay(1_000).reply(200, '');
    const hasty = createDnsResolver({ servers: [], timeoutMs: 20, dohUrl: URL });
    expect(await hasty.mx('mail.test', never)).toEqual({ outcome: 'timeout' });
  });

  it('returns at once when the caller cancels', async () => {
    nock(ORIGIN).post('/dns-query').delay(1_000).reply(200, '');
    const caller = new AbortController();
    const answer = resolver.mx('mail.test', caller.signal);
    caller.abort();
    expect(await answer).toEqual({ outcome: 'timeout' });
  });
});

describe('a real server', () => {
  const ZONE = {
    'mail.test': { MX: [{ exchange: 'mx.mail.test', preference: 10 }], ttl: 900 },
    'null.test': { MX: [{ exchange: '.', preference: 0 }] },
  };
  const trusted = getCACertificates('default');
  let server: DohServer;
  beforeEach(async () => {
    nock.enableNetConnect('localhost');
    server = await startDohServer(ZONE, { age: '100' });
    resolver = createDnsResolver({ servers: [], timeoutMs: 5_000, dohUrl: server.url });
  });
  afterEach(async () => {
    nock.disableNetConnect();
    setDefaultCACertificates(trusted);
    await server.close();
  });

  it('is asked over kept connections, and its answers have the age that it reports', async () => {
    setDefaultCACertificates([...trusted, server.ca]);
    expect(await resolver.mx('mail.test', never)).toMatchObject({ outcome: 'found', ttlSeconds: 800 });
    expect(await resolver.mx('null.test', never)).toMatchObject({ outcome: 'found' });
    for (let name = 0; name < 10; name++) {
      expect(await resolver.mx(`gone${name}.test`, never)).toMatchObject({ outcome: 'nxdomain' });
    }
    // fetch opens a second one where the first is not released yet.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it('is an error while its certificate is not trusted', async () => {
    expect(await resolver.mx('mail.test', never)).toEqual({ outcome: 'error' });
  });
});
