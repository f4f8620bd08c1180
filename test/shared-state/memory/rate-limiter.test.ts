import { RateLimiterMemory } from 'rate-limiter-flexible';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InMemoryRateLimiter } from '../../../src/shared-state/memory/rate-limiter.ts';

describe('InMemoryRateLimiter', () => {
  // The library reads the system's clock and timers; these are the test's own.
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('allows exactly the limit in a window and says what remains', async () => {
    const limiter = new InMemoryRateLimiter(2, 60);
    expect(await limiter.consume('a')).toEqual({ allowed: true, limit: 2, remaining: 1, resetMs: 60_000 });
    vi.advanceTimersByTime(20_000);
    expect(await limiter.consume('a')).toEqual({ allowed: true, limit: 2, remaining: 0, resetMs: 40_000 });
    expect(await limiter.consume('a')).toEqual({ allowed: false, limit: 2, remaining: 0, resetMs: 40_000 });
  });

  it('starts afresh when the window ends, whatever was denied in it', async () => {
    const limiter = new InMemoryRateLimiter(1, 60);
    for (let attempt = 0; attempt < 5; attempt += 1) await limiter.consume('a');
    vi.advanceTimersByTime(60_000);
    expect(await limiter.consume('a')).toMatchObject({ allowed: true, resetMs: 60_000 });
  });

  it('forgets windows that ended', async () => {
    const limiter = new InMemoryRateLimiter(1, 60);
    await limiter.consume('a');
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not mistake a broken limiter for a denial', async () => {
    vi.spyOn(RateLimiterMemory.prototype, 'consume').mockRejectedValue(new Error('broken'));
    await expect(new InMemoryRateLimiter(1, 60).consume('a')).rejects.toThrow('broken');
  });

  it('keeps the longest window that it takes', async () => {
    const limiter = new InMemoryRateLimiter(1, 2_147_483);
    await limiter.consume('a');
    vi.advanceTimersByTime(2_147_482_999);
    expect(await limiter.consume('a')).toMatchObject({ allowed: false, resetMs: 1 });
    vi.advanceTimersByTime(1);
    expect((await limiter.consume('a')).allowed).toBe(true);
  });

  it.each([0, -1, Number.NaN, 2_147_484])(
    'refuses a window of %s seconds, which it could not keep',
    (window) => {
      expect(() => new InMemoryRateLimiter(1, window)).toThrow(RangeError);
    },
  );
});
