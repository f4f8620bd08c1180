import { LRUCache } from 'lru-cache';
import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js';
import { consumeOf, InMemoryRateLimiter } from '../memory/rate-limiter.ts';
import type { RateLimiter, RateLimitResult } from '../ports.ts';
import type { InstanceRegister, ValkeyConnection } from './connection.ts';

/** Of the limit; of all instances together, so many requests at most are answered before Valkey has counted them. */
const UNANSWERED = 0.04;
/** Of the limit; where less is left, each request waits until Valkey has counted it. */
const NEAR = 0.1;
/** Keys of which an instance remembers what is left. */
const REMEMBERED = 10_000;

/** What Valkey said last of a key's window. */
interface Known {
  remaining: number;
  /** Until a request has got no answer. */
  isFresh: boolean;
  /** By the monotonic clock. */
  endsAt: number;
  /** Requests that were answered by this, and that Valkey has not counted yet. */
  unanswered: number;
}

/**
 * Counts in Valkey. Far from the limit a request is answered by what Valkey said last in this window, and counted without waiting:
 * over the limit come no more than those that are under way then, which is 4 % of it over all instances, however old the knowledge.
 * Where Valkey does not answer in time, the instance allows its share of the limit by what it has counted itself.
 */
export class ValkeyRateLimiter implements RateLimiter {
  readonly #limit: number;
  readonly #local: InMemoryRateLimiter;
  readonly #shared: RateLimiterRedis;
  readonly #known = new LRUCache<string, Known>({ max: REMEMBERED });

  constructor(
    private readonly connection: ValkeyConnection,
    private readonly instances: InstanceRegister,
    { requests, windowSeconds }: { readonly requests: number; readonly windowSeconds: number },
  ) {
    this.#limit = requests;
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
    const known = this.#known.get(id);
    const leftMs = known ? known.endsAt - performance.now() : 0;
    if (known && leftMs > 0 && this.#isFar(known)) {
      known.unanswered += 1;
      this.#count(id)
        .catch(() => {
          known.isFresh = false;
        })
        .finally(() => {
          known.unanswered -= 1;
        });
      const remaining = known.remaining - known.unanswered;
      return { allowed: true, limit: this.#limit, remaining, resetMs: Math.ceil(leftMs) };
    }
    try {
      return await this.connection.answer(this.#count(id));
    } catch (error) {
      this.connection.miss('rate_limit', error, { instances: this.instances.seen });
      return this.#share(own, this.#known.get(id));
    }
  }

  #isFar({ isFresh, remaining, unanswered }: Known): boolean {
    const most = Math.floor((this.#limit * UNANSWERED) / this.instances.seen);
    const isNear = remaining - unanswered <= this.#limit * NEAR;
    return isFresh && this.connection.isReady && unanswered < most && !isNear;
  }

  async #count(id: string): Promise<RateLimitResult> {
    const counted = await consumeOf(this.#shared, id);
    const { remaining, resetMs } = counted;
    const endsAt = performance.now() + resetMs;
    const known = this.#known.get(id);
    if (known) Object.assign(known, { remaining, endsAt, isFresh: true });
    else this.#known.set(id, { remaining, endsAt, isFresh: true, unanswered: 0 });
    return counted;
  }

  /** What this instance has counted itself, against its part of the limit; none where Valkey said that none is left. */
  #share({ allowed, limit, remaining, resetMs }: RateLimitResult, known?: Known): RateLimitResult {
    if (known) known.isFresh = false;
    const leftMs = known?.remaining === 0 ? known.endsAt - performance.now() : 0;
    if (leftMs > 0) return { allowed: false, limit, remaining: 0, resetMs: Math.ceil(leftMs) };
    const share = Math.ceil(limit / this.instances.seen);
    const used = allowed ? limit - remaining : limit + 1;
    return { allowed: used <= share, limit, remaining: Math.max(0, share - used), resetMs };
  }
}
