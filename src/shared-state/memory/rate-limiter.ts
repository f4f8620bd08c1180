import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { RateLimiter, RateLimitResult } from '../ports.ts';

/** The library forgets a window by setTimeout, which fires at once when asked to wait longer than 2^31 − 1 ms. */
const LONGEST_WINDOW_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

/** Counts in this process alone: with several processes each allows the whole limit. */
export class InMemoryRateLimiter implements RateLimiter {
  readonly #limiter: RateLimiterMemory;
  readonly #limit: number;

  constructor(requests: number, windowSeconds: number) {
    if (!(windowSeconds > 0 && windowSeconds <= LONGEST_WINDOW_SECONDS)) {
      throw new RangeError(`a window lasts more than 0 and at most ${LONGEST_WINDOW_SECONDS} seconds`);
    }
    this.#limit = requests;
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
    return { allowed, limit: this.#limit, remaining: remainingPoints, resetMs: msBeforeNext };
  }
}
