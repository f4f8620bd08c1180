import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noMetrics } from '../../src/observability/metrics.ts';
import { type Answer, type FactValue, unknown } from '../../src/provider-kit/index.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aFact, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

const never = () => new Promise<Answer>(() => undefined);
const address = anAddress();

/** Local, and returns the value of `<need>.seen` that it received; unknown where that is unknown. */
function follower(id: string, need: string, seen: (FactValue | null | undefined)[] = []) {
  return aLocalProvider(id, {
    needs: [`${need}.seen`],
    check: (_address, { needs }) => {
      const value = needs[`${need}.seen`];
      seen.push(value);
      return typeof value === 'boolean' ? { facts: { [`${id}.seen`]: value } } : unknown('not_run');
    },
  });
}

const kept = (id: string, check: () => Promise<Answer>) =>
  aNetworkProvider(id, { check, cache: { by: 'domain', knownSeconds: 60, unknownSeconds: 60 } });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  // lru-cache treats a start of 0 as "no time to live".
  vi.advanceTimersByTime(1);
});
afterEach(() => vi.useRealTimers());

describe('a local provider that needs a fact of a look-up', () => {
  it('is asked after the answer arrived, in any order of declaration', async () => {
    const { collect } = await aCollector([follower('late', 'net'), aNetworkProvider('net')]);
    expect(await collect(address)).toMatchObject({
      facts: { 'net.seen': true, 'late.seen': true },
      unknown: {},
      degraded: [],
    });
  });

  it('does not wait for look-ups that it does not need', async () => {
    const seen: (FactValue | null | undefined)[] = [];
    const { collect } = await aCollector([
      aNetworkProvider('stuck', { check: never }),
      aNetworkProvider('quick'),
      follower('late', 'quick', seen),
    ]);
    const signals = collect(address);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual([true]);
    await vi.advanceTimersByTimeAsync(500);
    expect((await signals).degraded).toEqual(['stuck']);
  });

  it('is asked at the deadline, and delays nothing', async () => {
    const { collect } = await aCollector(
      [aNetworkProvider('slow', { check: never }), follower('late', 'slow')],
      { deadlineMs: 200 },
    );
    const signals = collect(address);
    await vi.advanceTimersByTimeAsync(200);
    expect(await signals).toMatchObject({
      unknown: { 'slow.seen': 'timeout', 'late.seen': 'not_run' },
      // It could try nothing: only the look-up has failed.
      degraded: ['slow'],
    });
  });

  it('receives null when the look-up fails', async () => {
    const seen: (FactValue | null | undefined)[] = [];
    const net = aNetworkProvider('net', { check: async () => unknown('servfail') });
    const { collect } = await aCollector([follower('late', 'net', seen), net]);
    expect((await collect(address)).unknown).toEqual({ 'net.seen': 'servfail', 'late.seen': 'not_run' });
    expect(seen).toEqual([null]);
  });

  it('is asked where the answer was cached, and the look-up is not repeated', async () => {
    const look = vi.fn(async (): Promise<Answer> => ({ facts: { 'net.seen': true } }));
    const { collect } = await aCollector([follower('late', 'net'), kept('net', look)]);
    await collect(address);
    expect(await collect(address)).toMatchObject({ facts: { 'late.seen': true } });
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('receives the fresh answer where another one was cached', async () => {
    const seen: (FactValue | null | undefined)[] = [];
    const { collect } = await aCollector([
      kept('old', async () => ({ facts: { 'old.seen': true } })),
      aNetworkProvider('net'),
      follower('late', 'net', seen),
      follower('early', 'old'),
    ]);
    await collect(address);
    expect((await collect(address)).facts).toMatchObject({ 'late.seen': true, 'early.seen': true });
    expect(seen).toEqual([true, true]);
  });

  it('passes its own fact on, to a local provider and to a look-up', async () => {
    const next = aNetworkProvider('next', {
      needs: ['late.seen'],
      check: async (_address, { needs }) => ({ facts: { 'next.seen': needs['late.seen'] === true } }),
    });
    const { collect } = await aCollector([
      follower('last', 'next'),
      next,
      follower('late', 'net'),
      aNetworkProvider('net'),
    ]);
    expect((await collect(address)).facts).toEqual({
      'net.seen': true,
      'late.seen': true,
      'next.seen': true,
      'last.seen': true,
    });
  });

  it('is timed and counted like any other, without the time that it waited', async () => {
    const metrics = { ...noMetrics, count: vi.fn(), took: vi.fn() };
    const slow = aNetworkProvider('slow', {
      check: () => new Promise((resolve) => setTimeout(() => resolve({ facts: { 'slow.seen': true } }), 100)),
    });
    const { collect } = await aCollector([follower('late', 'slow'), slow], { metrics });
    const signals = collect(address);
    await vi.advanceTimersByTimeAsync(100);
    expect((await signals).timingsUs).toEqual({ slow: 100_000, late: 0 });
    const known = (provider: string) => ['postern_provider_answers_total', { provider, outcome: 'known' }];
    expect(metrics.count.mock.calls).toEqual([known('slow'), known('late')]);
    const took = (provider: string, ms: number) => ['postern_provider_duration_seconds', { provider }, ms];
    expect(metrics.took.mock.calls).toEqual([took('slow', 100), took('late', 0)]);
  });

  it('that throws is unknown, and fails no check', async () => {
    const bad = aLocalProvider('late', {
      needs: ['net.seen'],
      check: () => {
        throw new TypeError('boom');
      },
    });
    const { collect, warnings } = await aCollector([bad, aNetworkProvider('net')]);
    expect(await collect(address)).toMatchObject({
      facts: { 'net.seen': true },
      unknown: { 'late.seen': 'error' },
      degraded: ['late'],
    });
    expect(warnings).toEqual([{ provider: 'late', message: 'provider failed' }]);
  });
});

describe('where no network is used', () => {
  it('it is asked all the same, with a look-up that was not run', async () => {
    const { collector, prepared } = await aCollector([follower('late', 'net'), aNetworkProvider('net')]);
    expect(await collector.collectLocal(address, prepared)).toMatchObject({
      facts: { 'net.seen': null, 'late.seen': null },
      unknown: { 'net.seen': 'not_run', 'late.seen': 'not_run' },
      degraded: [],
    });
  });

  it('it receives the prepared facts in place of a look-up, and undeclared facts are left out', async () => {
    const { collector, prepared } = await aCollector([
      follower('late', 'net'),
      aNetworkProvider('net', { facts: [aFact('net.seen'), aFact('net.more')] }),
    ]);
    const given = { 'net.seen': false, 'net.more': unknown('timeout'), 'else.seen': true };
    const signals = await collector.collectLocal(address, prepared, { facts: given });
    expect(signals).toMatchObject({
      facts: { 'net.seen': false, 'net.more': null, 'late.seen': false },
      unknown: { 'net.more': 'timeout' },
    });
    expect(signals.facts).not.toHaveProperty('else.seen');
  });
});
