import { LRUCache } from 'lru-cache';
import { inject, injectable } from '../../di.ts';
import { CLOCK } from '../../lib/system-clock.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { clientOf } from './client-of.ts';
import type { RateLimitResult } from './rate-limiter.ts';

const FAILURES = 20;
const WINDOW_MS = 60_000;
/**
 * Some 10 MB. The least recently failing client is forgotten first; whoever commands more addresses than
 * this gains nothing by it, since a key cannot be guessed in any number of attempts.
 */
const CLIENTS = 50_000;

interface Window {
  failures: number;
  readonly endsAt: number;
}

/**
 * Answers 429 in place of 401 to a client that keeps failing. Counts failures only: a valid key is never
 * held back by a neighbour behind the same address.
 */
@injectable()
export class FailedAuthThrottle {
  readonly #clock: Clock;
  readonly #windows = new LRUCache<string, Window>({ max: CLIENTS });

  constructor(@inject(CLOCK) clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a failed authentication; `allowed` says whether it may still be answered with 401. */
  recordFailure(clientAddress: string): Pick<RateLimitResult, 'allowed' | 'resetMs'> {
    const client = clientOf(clientAddress);
    const now = this.#clock.now();
    const known = this.#windows.get(client);
    const window = known && known.endsAt > now ? known : { failures: 0, endsAt: now + WINDOW_MS };
    window.failures += 1;
    this.#windows.set(client, window);
    return { allowed: window.failures <= FAILURES, resetMs: window.endsAt - now };
  }
}
