import { expect, it } from 'vitest';
import { createDnsResolver } from '../../src/net/create-dns-resolver.ts';
import type { DnsResolver } from '../../src/provider-kit/index.ts';
import { startDnsServer } from '../support/dns-server.ts';
import type { Soa } from '../support/dns-zone.ts';

const BOTH = { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] };
const ZONE = {
  'none.test': { ...BOTH, ttl: 0 },
  'day.test': { ...BOTH, ttl: 86_400 },
  'highest-bit.test': { ...BOTH, ttl: 2 ** 31 },
  'plain.test': { ...BOTH, ttl: 700 },
  'alias.test': { CNAME: 'plain.test', ttl: 100 },
  'open-alias.test': { CNAME: 'plain.test', ttl: 100, leavesOpen: true },
  'empty.test': {},
} as const;
const never = new AbortController().signal;

async function withResolver<Result>(
  work: (resolver: DnsResolver) => Promise<Result>,
  soa?: Soa,
): Promise<Result> {
  const server = await startDnsServer(ZONE, soa && { soa });
  try {
    return await work(createDnsResolver({ servers: [server.address], timeoutMs: 5_000, dohUrl: null }));
  } finally {
    await server.close();
  }
}

it.each([
  ['none.test', 60],
  ['day.test', 3600],
  ['highest-bit.test', 60],
  ['plain.test', 700],
  ['alias.test', 100],
  ['open-alias.test', 100],
])('%s is kept for %i seconds', async (name, ttlSeconds) => {
  const answer = await withResolver((resolver) => resolver.addresses(name, never));
  expect(answer).toMatchObject({ outcome: 'found', ttlSeconds });
});

it.each([
  [undefined, 60],
  [{ ttl: 0, minimum: 900 }, 60],
  [{ ttl: 900, minimum: 120 }, 120],
  [{ ttl: 120, minimum: 900 }, 120],
  [{ ttl: 86_400, minimum: 86_400 }, 3600],
  [{ ttl: 2 ** 31, minimum: 900 }, 60],
])('that there is nothing is kept, with the SOA %j, for %i seconds', async (soa, ttlSeconds) => {
  await withResolver(async (resolver) => {
    expect(await resolver.mx('gone.test', never)).toEqual({ outcome: 'nxdomain', ttlSeconds });
    expect(await resolver.mx('empty.test', never)).toEqual({ outcome: 'nodata', ttlSeconds });
  }, soa);
});
