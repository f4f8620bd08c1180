import { LRUCache } from 'lru-cache';
import RateLimiterRedis from 'rate-limiter-flexible/lib/RateLimiterRedis.js';
import { consumeOf, InMemoryRateLimiter } from '../memory/rate-limiter.ts';
import type { RateLimiter, RateLimitResult } from '../ports.ts';
import type { InstanceRegister, ValkeyConnection } from './connection.ts';

/** Share of the limit: all instances together answer at most so many requests before Valkey has counted them. */
const UNANSWERED = 0.04;
/** Share of the limit: where no more than this is left, each request waits until Valkey has counted it. */
const NEAR = 0.1;
/** How many keys' windows an instance remembers. */
const REMEMBERED = 10_000;

/** Valkey's last answer on a key's window. */
interface Known {
  remaining: number;
  /** False from when Valkey has not answered a request until it answers again. */
  isFresh: boolean;
  /** By the monotonic clock. */
  endsAt: number;
  /** Requests that were answered by this knowledge and that Valkey has not counted yet. */
  unanswered: number;
}

/**
 * Counts in Valkey. Far from the limit a request is answered by Valkey's last answer in this window, and counted without waiting. Only
 * requests that Valkey has not counted yet can exceed the limit: 4 % of it over all instances, however old the last answer is. Where
 * Valkey does not answer in time, the instance allows its share of the limit by its own count.
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
    // The library's driver for Redis: the script of its driver for Valkey calls `server`, which Redis 7 does not know.
    this.#shared = new RateLimiterRedis({
      storeClient: connection.client,
      points: requests,
      duration: windowSeconds,
      keyPrefix: 'rate',
    });
  }

  async consume(id: string): Promise<RateLimitResult> {
    // For every request, so that the instance's own count is complete when Valkey is away.
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

  /** Decides by this instance's own count and its share of the limit. Denies while Valkey's last answer says that nothing is left. */
  #share({ allowed, limit, remaining, resetMs }: RateLimitResult, known?: Known): RateLimitResult {
    if (known) known.isFresh = false;
    const leftMs = known?.remaining === 0 ? known.endsAt - performance.now() : 0;
    if (leftMs > 0) return { allowed: false, limit, remaining: 0, resetMs: Math.ceil(leftMs) };
    const share = Math.ceil(limit / this.instances.seen);
    const used = allowed ? limit - remaining : limit + 1;
    return { allowed: used <= share, limit, remaining: Math.max(0, share - used), resetMs };
  }
}
