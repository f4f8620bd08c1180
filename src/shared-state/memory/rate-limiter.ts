import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { RateLimiter, RateLimitResult } from '../ports.ts';

/** Counts in this process alone: with several processes each allows the whole limit. */
export class InMemoryRateLimiter implements RateLimiter {
  readonly #limiter: RateLimiterMemory;

  /** A window of up to a day, as the configuration bounds it: setTimeout, by which the library ends it, knows 24 days. */
  constructor(requests: number, windowSeconds: number) {
    this.#limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
  }

  consume(id: string): Promise<RateLimitResult> {
    return consumeOf(this.#limiter, id);
  }
}

/** Counts a request by one of the library's limiters. */
export async function consumeOf(limiter: RateLimiterAbstract, id: string): Promise<RateLimitResult> {
  const { points: limit, duration } = limiter;
  const told = (allowed: boolean, { remainingPoints: remaining, msBeforeNext }: RateLimiterRes) => ({
    allowed,
    limit,
    remaining,
    // In memory it reckons by the wall clock, and ends a window by a timer: after a step back an hour would be left of it.
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
