import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { RateLimiter, RateLimitResult } from '../ports.ts';

/** Counts in this process alone: with several processes each allows the whole limit. */
export class InMemoryRateLimiter implements RateLimiter {
  readonly #limiter: RateLimiterMemory;
  readonly #limit: number;
  readonly #windowMs: number;

  /** A window of up to a day, as the configuration bounds it: setTimeout, by which the library ends it, knows 24 days. */
  constructor(requests: number, windowSeconds: number) {
    this.#limit = requests;
    this.#windowMs = windowSeconds * 1000;
    this.#limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
  }

  consume(id: string): Promise<RateLimitResult> {
    return this.#limiter.consume(id).then(
      (counted) => this.#result(true, counted),
      (denied) => {
        // The library rejects with its result, which is no Error, when the limit is reached.
        if (denied instanceof RateLimiterRes) return this.#result(false, denied);
        throw denied;
      },
    );
  }

  #result(allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): RateLimitResult {
    // The library reckons by the wall clock, and ends a window by a timer: after a step back an hour would be left of it.
    const resetMs = Math.min(msBeforeNext, this.#windowMs);
    return { allowed, limit: this.#limit, remaining: remainingPoints, resetMs };
  }
}
