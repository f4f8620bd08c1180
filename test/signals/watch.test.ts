import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Metrics } from '../../src/observability/metrics.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { type Answer, unknown } from '../../src/provider-kit/index.ts';
import type { ProviderAnswer } from '../../src/signals/collection.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

const address = anAddress();
const never = () => new Promise<Answer>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  // lru-cache treats a start of 0 as "no time to live".
  vi.advanceTimersByTime(1);
});
afterEach(() => vi.useRealTimers());

async function watchedBy(providers: Parameters<typeof aCollector>[0], metrics: Metrics = noMetrics) {
  const { collector, prepared, collect } = await aCollector(providers, { metrics });
  const told: ProviderAnswer[] = [];
  const watch = () => collector.watch(address, prepared, (answer) => told.push(answer));
  return { collector, prepared, collect, told, watch, who: () => told.map(({ provider }) => provider) };
}

describe('a watched collection', () => {
  it('reports local answers at once, each other one when it arrives, and missing ones at the deadline', async () => {
    const slow = Promise.withResolvers<Answer>();
    const { watch, told, who } = await watchedBy([
      aNetworkProvider('dead', { check: never }),
      aNetworkProvider('slow', { check: () => slow.promise }),
      aLocalProvider('after', { needs: ['slow.seen'], check: () => unknown('not_run', 'nothing to go on') }),
      aLocalProvider('quick'),
    ]);
    const watching = watch();
    expect(who()).toEqual(['quick']);
    slow.resolve({ facts: { 'slow.seen': true }, evidence: { seen: 'twice' } });
    await vi.advanceTimersByTimeAsync(30);
    expect(who()).toEqual(['quick', 'slow', 'after']);
    await vi.advanceTimersByTimeAsync(500);
    const signals = await watching;
    expect(told[1]).toMatchObject({
      ...{ outcome: 'known', facts: { 'slow.seen': true }, unknown: {}, evidence: { seen: 'twice' } },
    });
    expect(told[2]).toMatchObject({
      ...{ outcome: 'not_run', facts: { 'after.seen': null }, unknown: { 'after.seen': 'not_run' } },
      evidence: { unknown: 'nothing to go on' },
    });
    expect(told[3]).toMatchObject({ provider: 'dead', outcome: 'timeout', tookUs: 500_000 });
    expect(signals).toMatchObject({
      facts: Object.assign({}, ...told.map(({ facts }) => facts)),
      degraded: ['dead'],
    });
  });

  it('reports every provider although the domain was looked up a moment ago, and shows no time for cached answers', async () => {
    const byDomain = { by: 'domain', knownSeconds: 60, unknownSeconds: 60 } as const;
    const { watch, told, collect, who } = await watchedBy([
      aLocalProvider('domain'),
      aNetworkProvider('mx', { cache: byDomain }),
    ]);
    await collect(address);
    await collect(address);
    await watch();
    expect(who()).toEqual(['domain', 'mx']);
    expect(told[1]).toMatchObject({ tookUs: 0, facts: { 'mx.seen': true } });
  });

  it('is not counted in metrics', async () => {
    const metrics = { count: vi.fn(), took: vi.fn(), set: vi.fn() };
    const { collector, prepared } = await watchedBy([aLocalProvider('a'), aNetworkProvider('b')], metrics);
    await collector.watch(address, prepared, () => undefined);
    expect([metrics.count.mock.calls, metrics.took.mock.calls]).toEqual([[], []]);
  });
});
