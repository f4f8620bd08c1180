import { LRUCache } from 'lru-cache';
import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js';
import { consumeOf, InMemoryRateLimiter } from '../memory/rate-limiter.ts';
import type { RateLimiter, RateLimitResult } from '../ports.ts';
import type { InstanceRegister, ValkeyConnection } from './connection.ts';

/** Keys of which an instance remembers that nothing is left. */
const REMEMBERED = 10_000;

/**
 * Counts in Valkey. Where that does not answer in time, the instance allows its share of the limit by what it has counted itself, and
 * nothing where Valkey said before that nothing is left.
 */
export class ValkeyRateLimiter implements RateLimiter {
  readonly #local: InMemoryRateLimiter;
  readonly #shared: RateLimiterRedis;
  /** When their windows end, by the monotonic clock. */
  readonly #usedUp = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(
    private readonly connection: ValkeyConnection,
    private readonly instances: InstanceRegister,
    { requests, windowSeconds }: { readonly requests: number; readonly windowSeconds: number },
  ) {
    this.#local = new InMemoryRateLimiter(requests, windowSeconds);
    // The library's driver for Redis: the script of that for Valkey calls `server`, which Redis 7 does not know.
    this.#shared = new RateLimiterRedis({
      storeClient: connection.client,
      points: requests,
      duration: windowSeconds,
      keyPrefix: 'rate',
    });
  }

  async consume(id: string): Promise<RateLimitResult> {
    // Always, so that it has counted this window when it is needed.
    const own = await this.#local.consume(id);
    try {
      return await this.connection.answer(this.#count(id));
    } catch (error) {
      this.connection.miss('rate_limit', error, { instances: this.instances.seen });
      return this.#share(id, own);
    }
  }

  async #count(id: string): Promise<RateLimitResult> {
    const counted = await consumeOf(this.#shared, id);
    if (counted.remaining === 0) this.#usedUp.set(id, performance.now() + counted.resetMs);
    return counted;
  }

  #share(id: string, { allowed, limit, remaining, resetMs }: RateLimitResult): RateLimitResult {
    const leftMs = (this.#usedUp.get(id) ?? 0) - performance.now();
    if (leftMs > 0) return { allowed: false, limit, remaining: 0, resetMs: Math.ceil(leftMs) };
    const share = Math.ceil(limit / this.instances.seen);
    const used = allowed ? limit - remaining : limit + 1;
    return { allowed: used <= share, limit, remaining: Math.max(0, share - used), resetMs };
  }
}
