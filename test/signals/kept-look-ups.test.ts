import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noMetrics } from '../../src/observability/metrics.ts';
import { type LocalProvider, unknown } from '../../src/provider-kit/index.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

describe('the cached look-ups of a domain', () => {
  const LIFE = { by: 'domain', knownSeconds: 60, unknownSeconds: 5 } as const;
  const late = (check: LocalProvider['check']) => aLocalProvider('late', { needs: ['net.seen'], check });
  const lateSees: LocalProvider['check'] = (_address, { needs }) => ({
    facts: { 'late.seen': needs['net.seen'] === true },
    evidence: { from: 'net' },
  });

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    // lru-cache treats a clock at 0 as one that has not been read.
    vi.advanceTimersByTime(1);
  });
  afterEach(() => void vi.useRealTimers());

  it('are kept, dependent facts are computed again, and both are counted in each check', async () => {
    const ask = vi.fn(async () => ({ facts: { 'net.seen': true }, evidence: { exchange: 'mx' } }));
    const follow = vi.fn(lateSees);
    const own = aLocalProvider('own', { needs: ['net.seen'], check: vi.fn(lateSeesOwn) });
    const count = vi.fn();
    const { collect } = await aCollector(
      [aNetworkProvider('net', { cache: LIFE, check: ask }), late(follow), own],
      { metrics: { ...noMetrics, count } },
    );
    const expected = {
      facts: { 'net.seen': true, 'late.seen': true, 'own.seen': true },
      evidence: { net: { exchange: 'mx' }, late: { from: 'net' } },
      unknown: {},
      degraded: [],
    };
    const labelsOf = (metric: string) =>
      count.mock.calls.flatMap(([name, labels]) => (name === metric ? [labels] : []));
    const answered = () => labelsOf('postern_provider_answers_total');
    for (const name of ['jane', 'john', 'mary', 'li']) {
      const before = answered().length;
      expect(await collect(anAddress(name))).toMatchObject(expected);
      expect(answered().slice(before)).toEqual(
        ['net', 'late', 'own'].map((provider) => ({ provider, outcome: 'known' })),
      );
    }
    expect(ask).toHaveBeenCalledTimes(1);
    expect(follow).toHaveBeenCalledTimes(4);
    expect(own.check).toHaveBeenCalledTimes(4);
    expect(labelsOf('postern_answer_cache_reads_total').map(({ result }) => result)).toEqual([
      ...['miss', 'hit', 'hit', 'hit'],
    ]);
  });

  it('expire with the answer that expires first', async () => {
    let value = true;
    const ask = vi.fn(async () => ({ facts: { 'net.seen': value }, ttlSeconds: 10 }));
    const { collect } = await aCollector([
      aNetworkProvider('net', { cache: LIFE, check: ask }),
      aNetworkProvider('slow', { cache: LIFE }),
      late(lateSees),
    ]);
    for (let i = 0; i < 3; i += 1) await collect(anAddress(`a${i}`));
    value = false;
    await vi.advanceTimersByTimeAsync(9_900);
    expect((await collect(anAddress('b'))).facts).toMatchObject({ 'net.seen': true, 'late.seen': true });
    await vi.advanceTimersByTimeAsync(200);
    expect((await collect(anAddress('c'))).facts).toMatchObject({ 'net.seen': false, 'late.seen': false });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('are not kept together where one failed: each check names it as degraded', async () => {
    const { collect } = await aCollector([
      aNetworkProvider('net', { cache: LIFE, check: async () => unknown('timeout') }),
      late(lateSees),
    ]);
    for (let i = 0; i < 4; i += 1) expect((await collect(anAddress(`a${i}`))).degraded).toEqual(['net']);
  });

  it('are not used by checks that send no packet', async () => {
    const { collect, collector, prepared } = await aCollector([
      aNetworkProvider('net', { cache: LIFE }),
      late(lateSees),
    ]);
    for (let i = 0; i < 3; i += 1) await collect(anAddress(`a${i}`));
    expect((await collector.collectLocal(anAddress('b'), prepared)).unknown).toEqual({
      'net.seen': 'not_run',
    });
  });
});

const lateSeesOwn: LocalProvider['check'] = (_address, { needs }) => ({
  facts: { 'own.seen': needs['net.seen'] === true },
});
