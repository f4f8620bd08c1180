import { beforeEach, describe, expect, it } from 'vitest';
import { DnsCache } from '../../src/net/caching-resolver.ts';
import { createDnsResolver } from '../../src/net/create-dns-resolver.ts';
import type { DnsAnswer, DnsResolver } from '../../src/provider-kit/index.ts';
import { startDnsServer } from '../support/dns-server.ts';
import type { Soa } from '../support/dns-zone.ts';

const HOUR_MS = 3_600_000;
const held = (seconds: number): DnsAnswer<string> => ({
  outcome: 'found',
  records: ['192.0.2.1'],
  ttlSeconds: seconds,
});
const changed: DnsAnswer<string> = { outcome: 'found', records: ['192.0.2.2'], ttlSeconds: 100 };

let now: number;
let asked: number;
let answer: DnsAnswer<string>;
let cache: DnsCache<string>;

beforeEach(() => {
  [now, asked] = [0, 0];
  cache = new DnsCache(() => now);
});

const ask = (name = 'a.test') =>
  cache.ask(name, async () => {
    asked++;
    return answer;
  });

/** Until a background refresh is complete. */
const refreshed = () => new Promise((resolve) => setImmediate(resolve));

describe('DnsCache', () => {
  it('keeps an answer for its TTL, and returns the remaining TTL', async () => {
    answer = held(100);
    expect(await ask()).toEqual(held(100));
    now = 99_000;
    expect(await ask()).toEqual(held(1));
    expect(asked).toBe(1);
  });

  it.each([
    [held(0), 60],
    [held(86_400), 3600],
    [{ outcome: 'nxdomain', ttlSeconds: 0 } as const, 60],
    [{ outcome: 'nxdomain' } as const, 60],
    [{ outcome: 'nodata', ttlSeconds: 86_400 } as const, 3600],
  ])('keeps %j for %i seconds', async (given, seconds) => {
    answer = given;
    expect(await ask()).toEqual({ ...given, ttlSeconds: seconds });
    now = seconds * 1000 - 1;
    await ask();
    expect(asked).toBe(1);
    now++;
    await ask();
    expect(asked).toBe(2);
  });

  it.each(['timeout', 'servfail', 'refused', 'malformed', 'error'] as const)(
    'keeps a %s for five seconds, and returns no TTL',
    async (outcome) => {
      answer = { outcome };
      expect(await ask()).toEqual({ outcome });
      now = 4_999;
      expect(await ask()).toEqual({ outcome });
      expect(asked).toBe(1);
      now = 5_000;
      await ask();
      expect(asked).toBe(2);
    },
  );

  it('asks once for all callers that wait', async () => {
    answer = held(100);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([held(100), held(100), held(100)]);
    expect(asked).toBe(1);
  });

  it('returns a stale answer at once, for a second, while one refresh runs', async () => {
    answer = held(100);
    await ask();
    now = 100_000;
    answer = changed;
    expect(await Promise.all([ask(), ask()])).toEqual([held(1), held(1)]);
    await refreshed();
    expect(asked).toBe(2);
    expect(await ask()).toEqual(changed);
  });

  it('returns a stale answer for an hour while servers fail, and asks every five seconds', async () => {
    answer = held(100);
    await ask();
    answer = { outcome: 'timeout' };
    now = 100_000;
    expect(await ask()).toEqual(held(1));
    await refreshed();
    now = 104_999;
    expect(await ask()).toEqual(held(1));
    await refreshed();
    expect(asked).toBe(2);
    now = 105_000;
    expect(await ask()).toEqual(held(1));
    await refreshed();
    expect(asked).toBe(3);
    now = 100_000 + HOUR_MS;
    expect(await ask()).toEqual({ outcome: 'timeout' });
  });

  it('never returns a stale negative answer', async () => {
    answer = { outcome: 'nxdomain', ttlSeconds: 60 };
    await ask();
    now = 60_000;
    answer = changed;
    expect(await ask()).toEqual(changed);
  });

  it('accepts a refresh that says that there is nothing any more', async () => {
    answer = held(100);
    await ask();
    now = 100_000;
    answer = { outcome: 'nxdomain', ttlSeconds: 100 };
    await ask();
    await refreshed();
    expect(await ask()).toEqual(answer);
  });

  it('keeps a limited number of records, and evicts the least recently used ones', async () => {
    answer = { outcome: 'found', records: Array(999).fill('192.0.2.1'), ttlSeconds: 100 };
    for (let name = 0; name < 10; name++) await ask(`${name}.test`);
    await ask('0.test');
    expect(asked).toBe(10);
    await ask('10.test');
    await ask('0.test');
    expect(asked).toBe(11);
    await ask('1.test');
    expect(asked).toBe(12);
  });
});

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
])('a negative answer with the SOA %j is kept for %i seconds', async (soa, ttlSeconds) => {
  await withResolver(async (resolver) => {
    expect(await resolver.mx('gone.test', never)).toEqual({ outcome: 'nxdomain', ttlSeconds });
    expect(await resolver.mx('empty.test', never)).toEqual({ outcome: 'nodata', ttlSeconds });
  }, soa);
});

it('treats a name that is not text as a name that does not exist, and needs no signal', async () => {
  await withResolver(async (resolver) => {
    const nothing = undefined as unknown as string;
    expect(await resolver.mx(nothing, never)).toEqual({ outcome: 'nxdomain' });
    expect(await resolver.addresses(nothing)).toEqual({ outcome: 'nxdomain' });
    expect(await resolver.addresses('plain.test')).toMatchObject({ outcome: 'found' });
  });
});
