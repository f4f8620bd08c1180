import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Metrics } from '../../../src/observability/metrics.ts';
import type { RateLimiter } from '../../../src/shared-state/ports.ts';
import type { ValkeyState } from '../../../src/shared-state/valkey/open-valkey-state.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { describeValkey } from '../../support/valkey.ts';
import { aWorldOfChecks, seen } from '../contract.ts';

describeValkey('a rate limit in Valkey', ({ open, prefix, port, url }) => {
  let places = 0;
  let proxy: TcpProxy;
  let local = 0;
  const metrics: Metrics = {
    count: (_name, labels) => {
      if (Object.values(labels).includes('rate_limit')) local += 1;
    },
    took: () => undefined,
    set: () => undefined,
  };

  beforeAll(async () => {
    proxy = await startTcpProxy(port);
  });
  beforeEach(() => {
    places += 1;
    local = 0;
    proxy.delayMs = 0;
    proxy.mend();
  });
  afterAll(() => proxy.close());

  /** Instances that know of each other, the first of them behind the proxy. */
  async function instances(count: number, requests: number, timeoutMs = 10_000): Promise<ValkeyState[]> {
    const config = { rateLimit: { requests, windowSeconds: 60 }, sharedState: { url, timeoutMs } };
    const options = { config, prefix: `${prefix}${places}:`, metrics };
    const states: ValkeyState[] = [];
    for (let n = 0; n < count; n += 1)
      states.push(await open(n === 0 ? { ...options, url: `redis://127.0.0.1:${proxy.port}` } : options));
    for (const state of states) await expect.poll(() => state.instances.seen).toBe(count);
    return states;
  }

  async function allowedOf(limiter: RateLimiter, requests: number, id = 'key_1'): Promise<number> {
    const results = await Promise.all(Array.from({ length: requests }, () => limiter.consume(id)));
    return results.filter(({ allowed }) => allowed).length;
  }

  it('is exact to 5 % over five instances under load, and not exceeded by sequential requests', async () => {
    const states = await instances(5, 500);
    const before = local;
    let allowed = 0;
    for (let wave = 0; wave < 60; wave += 1) {
      const together = await Promise.all(states.map(({ rateLimiter }) => allowedOf(rateLimiter, 5)));
      allowed += together.reduce((sum, each) => sum + each);
    }
    expect(local).toBe(before);
    expect(allowed).toBeGreaterThanOrEqual(500);
    expect(allowed).toBeLessThanOrEqual(525);

    let one = 0;
    for (let n = 0; n < 600; n += 1) {
      const limiter = states[n % 5]?.rateLimiter as RateLimiter;
      one += (await limiter.consume('key_2')).allowed ? 1 : 0;
    }
    expect(one).toBe(500);
  });

  it('is exceeded by 4 % at most although an instance does not know what all others have used since', async () => {
    const [stale, other] = (await instances(2, 500)) as [ValkeyState, ValkeyState];
    await stale.rateLimiter.consume('key_1');
    expect(await allowedOf(other.rateLimiter, 600)).toBe(499);
    // Half of the 4 % for each of two.
    expect(await allowedOf(stale.rateLimiter, 300)).toBeLessThanOrEqual(10);
    expect(await allowedOf(stale.rateLimiter, 300)).toBe(0);
  });

  it('returns the remaining number and the end of the window', async () => {
    const [{ rateLimiter }] = (await instances(1, 100)) as [ValkeyState];
    const first = await rateLimiter.consume('key_1');
    expect(first).toMatchObject({ allowed: true, limit: 100, remaining: 99 });
    expect(first.resetMs).toBeGreaterThan(59_000);
    const second = await rateLimiter.consume('key_1');
    expect(second).toMatchObject({ allowed: true, limit: 100, remaining: 98 });
    expect(second.resetMs).toBeLessThanOrEqual(60_000);
    await allowedOf(rateLimiter, 110);
    const denied = await rateLimiter.consume('key_1');
    expect(denied).toMatchObject({ allowed: false, limit: 100, remaining: 0 });
    expect(denied.resetMs).toBeGreaterThan(50_000);
  });

  it('needs no wait for Valkey far from the limit, and one wait near it', async () => {
    const [{ rateLimiter, counters }] = (await instances(1, 60)) as [ValkeyState];
    const { begin } = aWorldOfChecks(counters);
    // Many times the latency on loopback, so that one wait differs clearly from two.
    proxy.delayMs = 30;
    const waits: number[] = [];
    for (let n = 0; n < 60; n += 1) {
      const began = performance.now();
      expect((await rateLimiter.consume('key_1')).allowed).toBe(true);
      await (await begin(`user${n}@x.org`, [seen('x.org')])).settle();
      waits.push((performance.now() - began) / proxy.delayMs);
    }
    const median = (of: readonly number[]) => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0;
    const [first = 0, ...others] = waits;
    expect(first).toBeGreaterThan(1.9);
    expect(median(others.slice(0, 50))).toBeLessThan(1.9);
    expect(median(others.slice(-5))).toBeGreaterThan(1.9);
    expect((await rateLimiter.consume('key_1')).allowed).toBe(false);
  });

  it("is enforced with each instance's share of the limit while Valkey is unreachable, including earlier requests", async () => {
    const [cut, other] = (await instances(2, 101)) as [ValkeyState, ValkeyState];
    expect(await allowedOf(cut.rateLimiter, 30)).toBe(30);
    proxy.cut();
    await expect.poll(() => cut.unsharedBecause()).toEqual(expect.any(String));
    const next = await cut.rateLimiter.consume('key_1');
    // Half of 101, rounded up.
    expect(next).toMatchObject({ allowed: true, limit: 101, remaining: 51 - 31 });
    expect(await allowedOf(cut.rateLimiter, 50)).toBe(20);
    expect(local).toBe(51);
    expect(await cut.rateLimiter.consume('key_1')).toMatchObject({ allowed: false, remaining: 0 });
    expect(await allowedOf(other.rateLimiter, 101)).toBe(71);
    proxy.mend();
    await expect.poll(() => cut.unsharedBecause()).toBeUndefined();
    expect((await cut.rateLimiter.consume('key_2')).allowed).toBe(true);
    expect(await cut.rateLimiter.consume('key_1')).toMatchObject({ allowed: false });
  });

  it('delays no request beyond the time-out while Valkey is slow, and still ends at the limit', async () => {
    const [slow] = (await instances(1, 100, 20)) as [ValkeyState];
    proxy.delayMs = 1_500;
    const began = performance.now();
    expect(await allowedOf(slow.rateLimiter, 150)).toBe(100);
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(local).toBe(150);
  });
});
