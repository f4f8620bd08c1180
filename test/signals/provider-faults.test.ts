import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProviderFaults } from '../../src/signals/provider-faults.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aLocalProvider, aNetworkProvider } from '../support/providers.ts';

function faults() {
  const warn = vi.fn();
  const count = vi.fn();
  const metrics = { count, took: () => undefined, set: () => undefined };
  return { faults: new ProviderFaults(() => ({ info: () => undefined, warn }), metrics), warn, count };
}

const SAYS = 'provider held up all requests: over 50 ms without a pause';

describe('a synchronous stretch of a provider', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());
  const taking = (ms: number) => () => {
    vi.advanceTimersByTime(ms);
    return ms;
  };

  it('of 50 ms is ignored, a longer one is counted and logged with its duration', () => {
    const { faults: watch, warn, count } = faults();
    expect(watch.watched('slow', 'check', taking(50))).toBe(50);
    expect([warn.mock.calls, count.mock.calls]).toEqual([[], []]);
    expect(watch.watched('slow', 'check', taking(51))).toBe(51);
    expect(warn.mock.calls).toEqual([[{ method: 'check', times: 1, longest_ms: 51 }, SAYS]]);
    expect(count.mock.calls).toEqual([
      ['postern_provider_faults_total', { provider: 'slow', fault: 'held_up' }],
    ]);
  });

  it('is logged once a minute for each provider, with the number since, and counted each time', () => {
    const { faults: watch, warn, count } = faults();
    watch.watched('slow', 'check', taking(60));
    watch.watched('slow', 'counts', taking(900));
    watch.watched('other', 'prepare', taking(70));
    vi.advanceTimersByTime(59_000);
    watch.watched('slow', 'check', taking(80));
    expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
      { method: 'check', times: 1, longest_ms: 60 },
      { method: 'prepare', times: 1, longest_ms: 70 },
      { method: 'check', times: 2, longest_ms: 900 },
    ]);
    expect(count).toHaveBeenCalledTimes(4);
  });

  it('is logged where it ends with an exception, which is rethrown', () => {
    const { faults: watch, warn } = faults();
    const throwing = () => {
      taking(51)();
      throw new Error('late');
    };
    expect(() => watch.watched('slow', 'check', throwing)).toThrow('late');
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

/** A loop that ends by the clock with which it is measured. */
function after55Ms<Value>(value: Value): Value {
  const until = performance.now() + 55;
  while (performance.now() < until);
  return value;
}
const found = { facts: { 'slow.seen': true } };

it.each([
  ['check of a local provider', aLocalProvider('slow', { check: () => after55Ms(found) })],
  [
    'check of a network provider before its first pause',
    aNetworkProvider('slow', { check: async () => after55Ms(found) }),
  ],
  ['counts', aLocalProvider('slow', { counts: () => after55Ms([]), check: () => found })],
])('a real loop in %s is logged, and the answer is used', async (_where, provider) => {
  const { collector, prepared, warnings } = await aCollector([provider]);
  const { facts } = await collector.collect(anAddress(), prepared, async () => ({}));
  expect(facts).toEqual({ 'slow.seen': true });
  expect(warnings).toEqual([{ provider: 'slow', message: SAYS }]);
});

it('a real loop in prepare is logged at a reload, and not at the start, before anything is served', async () => {
  const prepare = () => after55Ms({ state: undefined });
  const { collector, warnings } = await aCollector([aLocalProvider('slow', { prepare })]);
  expect(warnings).toEqual([]);
  await collector.prepare({ options: {}, thresholds: {}, lists: { allow: [], deny: [] } });
  expect(warnings).toEqual([{ provider: 'slow', message: SAYS }]);
});
