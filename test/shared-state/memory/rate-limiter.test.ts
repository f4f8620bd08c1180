import { RateLimiterMemory } from 'rate-limiter-flexible';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { InMemoryRateLimiter } from '../../../src/shared-state/memory/rate-limiter.ts';

describe('InMemoryRateLimiter', () => {
  // The library reads the system's clock and timers; these are fake.
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('allows exactly the limit in a window and returns the remaining number', async () => {
    const limiter = new InMemoryRateLimiter(2, 60);
    expect(await limiter.consume('a')).toEqual({ allowed: true, limit: 2, remaining: 1, resetMs: 60_000 });
    vi.advanceTimersByTime(20_000);
    expect(await limiter.consume('a')).toEqual({ allowed: true, limit: 2, remaining: 0, resetMs: 40_000 });
    expect(await limiter.consume('a')).toEqual({ allowed: false, limit: 2, remaining: 0, resetMs: 40_000 });
  });

  it('starts again when the window ends, whatever was denied in it', async () => {
    const limiter = new InMemoryRateLimiter(1, 60);
    for (let attempt = 0; attempt < 5; attempt += 1) await limiter.consume('a');
    vi.advanceTimersByTime(60_000);
    expect(await limiter.consume('a')).toMatchObject({ allowed: true, resetMs: 60_000 });
  });

  it('drops windows that have ended', async () => {
    const limiter = new InMemoryRateLimiter(1, 60);
    await limiter.consume('a');
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports a failure of the limiter as an error, not as a denial', async () => {
    vi.spyOn(RateLimiterMemory.prototype, 'consume').mockRejectedValue(new Error('broken'));
    await expect(new InMemoryRateLimiter(1, 60).consume('a')).rejects.toThrow('broken');
  });
});

it('names no wait longer than its window after the clock was set back, and ends the window in time', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const limiter = new InMemoryRateLimiter(1, 10);
  await limiter.consume('a');
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(await limiter.consume('a')).toMatchObject({ allowed: false, resetMs: 10_000 });
  vi.advanceTimersByTime(10_000);
  expect((await limiter.consume('a')).allowed).toBe(true);
});
