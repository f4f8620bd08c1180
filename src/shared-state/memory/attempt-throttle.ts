import { LRUCache } from 'lru-cache';
import { upTo } from '../../lib/concurrency.ts';
import { monotonicClock } from '../../lib/time.ts';
import { clientNetwork } from '../../net/public-address.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { AttemptThrottle, RateLimitResult, SignInVerdict } from '../ports.ts';

/** The limits of both drivers. */
export const ATTEMPT_LIMITS = {
  failures: 20,
  failuresWindowMs: 60_000,
  signInWindowMs: 15 * 60_000,
  /** Attempts of one client, with any email: several people behind one address may forget their passwords. */
  ofAClient: 20,
  /** Attempts of one client for one email. NIST SP 800-63B-4, 3.2.2 allows 100 in all. */
  ofAPair: 5,
  /** Attempts for one email, by all clients: from then on a client has one attempt for this email instead of five. */
  forAnEmail: 50,
};
const { failures, failuresWindowMs, signInWindowMs, ofAClient, ofAPair, forAnEmail } = ATTEMPT_LIMITS;

/** Windows kept of each kind, some 10 MB. The least recently used is forgotten first: more addresses do not help to guess a key. */
const REMEMBERED = upTo(50_000);

interface Window {
  attempts: number;
  readonly endsAt: number;
}

/**
 * Tells when a client that keeps failing gets 429 in place of 401. Counts failures only, so that a valid key is never held back by
 * another client at the same address. However many clients guess a person's password, the person can sign in from another address:
 * a client that has not failed yet always has an attempt.
 */
export class InMemoryAttemptThrottle implements AttemptThrottle {
  readonly #failures = new LRUCache<string, Window>(REMEMBERED);
  /** A cache for each kind, so that one client that tries many emails does not evict the windows of other clients. */
  readonly #signIns = {
    client: new LRUCache<string, Window>(REMEMBERED),
    pair: new LRUCache<string, Window>(REMEMBERED),
    email: new LRUCache<string, Window>(REMEMBERED),
  };

  /** A monotonic clock, unless a test moves it. */
  constructor(private readonly clock: Clock = monotonicClock) {}

  async recordFailure(clientAddress: string): Promise<Pick<RateLimitResult, 'allowed' | 'resetMs'>> {
    const now = this.clock.now();
    const client = clientNetwork(clientAddress);
    const window = windowOf(this.#failures, client, now, failuresWindowMs);
    window.attempts += 1;
    this.#failures.set(client, window);
    return { allowed: window.attempts <= failures, resetMs: window.endsAt - now };
  }

  async beginSignIn(clientAddress: string, email: string): Promise<SignInVerdict> {
    const now = this.clock.now();
    const client = clientNetwork(clientAddress);
    const name = email.toLowerCase();
    const names = { client, pair: `${client} ${name}`, email: name };
    const open = (kind: keyof typeof names) =>
      windowOf(this.#signIns[kind], names[kind], now, signInWindowMs);
    const [ofClient, ofPair, forEmail] = [open('client'), open('pair'), open('email')];
    const attempts = forEmail.attempts < forAnEmail ? ofAPair : 1;
    const reached = [ofClient.attempts >= ofAClient && ofClient, ofPair.attempts >= attempts && ofPair];
    const ends = reached.flatMap((window) => (window ? [window.endsAt] : []));
    if (ends.length > 0) return { allowed: false, resetMs: Math.max(...ends) - now };
    // A refused attempt stores no window: else one client that goes on trying would evict the windows of others.
    this.#signIns.client.set(names.client, ofClient);
    this.#signIns.pair.set(names.pair, ofPair);
    this.#signIns.email.set(names.email, forEmail);
    const counted = [ofClient, ofPair, forEmail];
    for (const window of counted) window.attempts += 1;
    return {
      allowed: true,
      async succeeded() {
        for (const window of counted) window.attempts -= 1;
      },
    };
  }
}

/** The open window, or a new one that is not stored yet. */
function windowOf(windows: LRUCache<string, Window>, name: string, now: number, lengthMs: number): Window {
  const known = windows.get(name);
  return known && known.endsAt > now ? known : { attempts: 0, endsAt: now + lengthMs };
}
