import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, unknown } from '../../src/provider-kit/index.ts';
import { anAddress } from '../support/addresses.ts';
import { aCollector, aNetworkProvider } from '../support/providers.ts';

const address = anAddress();

beforeEach(() => {
  // setImmediate stays real: it stands for an event-loop iteration, not for time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  // lru-cache treats a start of 0 as "no time to live".
  vi.advanceTimersByTime(1);
});
afterEach(() => vi.useRealTimers());

describe('the answer cache', () => {
  const cached = (check: () => Promise<Answer>, by: 'domain' | 'address' = 'domain') =>
    aNetworkProvider('net', { check, cache: { by, knownSeconds: 60, unknownSeconds: 5 } });

  it('asks once for a domain, for all its addresses', async () => {
    const check = vi.fn(async () => ({ facts: { 'net.seen': true } }));
    const { collect } = await aCollector([cached(check)]);
    await collect(anAddress('jane'));
    await collect(anAddress('john'));
    expect(check).toHaveBeenCalledTimes(1);
    await collect(anAddress('john', 'example.org'));
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('asks for each address where the answer depends on the address', async () => {
    const check = vi.fn(async () => ({ facts: { 'net.seen': true } }));
    const { collect } = await aCollector([cached(check, 'address')]);
    await collect(anAddress('jane'));
    await collect(anAddress('john'));
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('asks once for all concurrent checks', async () => {
    const check = vi.fn(
      () => new Promise<Answer>((resolve) => setTimeout(() => resolve({ facts: { 'net.seen': true } }), 10)),
    );
    const { collect } = await aCollector([cached(check)]);
    const all = Promise.all(Array.from({ length: 50 }, () => collect(address)));
    await vi.advanceTimersByTimeAsync(10);
    expect((await all).every(({ facts }) => facts['net.seen'] === true)).toBe(true);
    expect(check).toHaveBeenCalledTimes(1);
  });

  it('keeps a failure for seconds and an answer for its own time', async () => {
    const check = vi.fn<() => Promise<Answer>>();
    check.mockResolvedValueOnce(unknown('servfail')).mockResolvedValue({ facts: { 'net.seen': true } });
    const { collect } = await aCollector([cached(check)]);
    await collect(address);
    await vi.advanceTimersByTimeAsync(4_900);
    expect((await collect(address)).degraded).toEqual(['net']);
    await vi.advanceTimersByTimeAsync(200);
    expect((await collect(address)).degraded).toEqual([]);
    await vi.advanceTimersByTimeAsync(59_000);
    await collect(address);
    expect(check).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(2_000);
    await collect(address);
    expect(check).toHaveBeenCalledTimes(3);
  });

  it.each([
    [
      'with a life of its own, as long as that',
      { facts: { 'net.seen': unknown('not_run') }, ttlSeconds: 20 },
      20,
    ],
    ['without one, as long as a failure', { facts: { 'net.seen': unknown('not_run') } }, 5],
    ['of the whole answer, as long as a failure', unknown('not_run'), 5],
  ])('keeps a not_run answer %s', async (_what, answer, seconds) => {
    const check = vi.fn(async () => answer);
    const { collect } = await aCollector([cached(check)]);
    await collect(address);
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 100);
    expect((await collect(address)).unknown).toEqual({ 'net.seen': 'not_run' });
    expect(check).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    await collect(address);
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('keeps a failure for seconds, whatever its ttlSeconds', async () => {
    const check = vi.fn(async () => ({ facts: { 'net.seen': unknown('timeout') }, ttlSeconds: 60 }));
    const { collect } = await aCollector([cached(check)]);
    await collect(address);
    await vi.advanceTimersByTimeAsync(5_100);
    await collect(address);
    expect(check).toHaveBeenCalledTimes(2);
  });

  it("keeps an answer no longer than its ttlSeconds, nor than the provider's limit", async () => {
    const answer = (ttlSeconds: number) => ({ facts: { 'net.seen': true }, ttlSeconds });
    const check = vi.fn<() => Promise<Answer>>();
    check.mockResolvedValueOnce(answer(20)).mockResolvedValueOnce(answer(600)).mockResolvedValue(answer(0));
    const { collect } = await aCollector([cached(check)]);
    await collect(address);
    for (const [seconds, asked] of [
      [19.9, 1],
      [0.2, 2],
      [59.7, 2],
      [0.5, 3],
      [0, 4],
    ] as const) {
      await vi.advanceTimersByTimeAsync(seconds * 1000);
      await collect(address);
      expect(check).toHaveBeenCalledTimes(asked);
    }
  });

  it.each(['600', Number.NaN, -1])('keeps no answer with %s as its ttlSeconds', async (ttlSeconds) => {
    const check = vi.fn(async () => ({ facts: { 'net.seen': true }, ttlSeconds: ttlSeconds as number }));
    const { collect } = await aCollector([cached(check)]);
    await collect(address);
    await collect(address);
    expect(check).toHaveBeenCalledTimes(2);
  });

  it('keeps an answer that arrived after the deadline for the next check', async () => {
    const late = () =>
      new Promise<Answer>((resolve) => setTimeout(() => resolve({ facts: { 'net.seen': true } }), 300));
    const provider = aNetworkProvider('net', {
      check: late,
      timeoutMs: 400,
      cache: { by: 'domain', knownSeconds: 60, unknownSeconds: 5 },
    });
    const { collect } = await aCollector([provider], { deadlineMs: 200 });
    const first = collect(address);
    await vi.advanceTimersByTimeAsync(200);
    expect((await first).degraded).toEqual(['net']);
    await vi.advanceTimersByTimeAsync(100);
    expect((await collect(address)).facts['net.seen']).toBe(true);
  });
});
