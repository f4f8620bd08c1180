import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { RateLimiter, RateLimitResult } from '../ports.ts';

/** Counts in this process alone: with several processes each allows the whole limit. */
export class InMemoryRateLimiter implements RateLimiter {
  readonly #limiter: RateLimiterMemory;

  /** The configuration bounds a window to a day. The library ends it by setTimeout, which can wait 24 days at most. */
  constructor(requests: number, windowSeconds: number) {
    this.#limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
  }

  consume(id: string): Promise<RateLimitResult> {
    return consumeOf(this.#limiter, id);
  }
}

/** Counts a request with a limiter of the library. */
export async function consumeOf(limiter: RateLimiterAbstract, id: string): Promise<RateLimitResult> {
  const { points: limit, duration } = limiter;
  const told = (allowed: boolean, { remainingPoints: remaining, msBeforeNext }: RateLimiterRes) => ({
    allowed,
    limit,
    remaining,
    // In memory the library computes it from the wall clock, but ends the window by a timer: a clock set back would make it too long.
    resetMs: Math.min(msBeforeNext, duration * 1000),
  });
  return limiter.consume(id).then(
    (counted) => told(true, counted),
    (denied) => {
      // The library rejects with its result, which is no Error, when the limit is reached.
      if (denied instanceof RateLimiterRes) return told(false, denied);
      throw denied;
    },
  );
}
