import { LRUCache } from 'lru-cache';
import { upTo } from '../../lib/concurrency.ts';
import { monotonicClock } from '../../lib/time.ts';
import { clientNetwork } from '../../net/public-address.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { AttemptThrottle, RateLimitResult, SignInVerdict } from '../ports.ts';

/** What every driver allows. */
export const ATTEMPT_LIMITS = {
  failures: 20,
  failuresWindowMs: 60_000,
  signInWindowMs: 15 * 60_000,
  /** Of one client, under any email: people behind one address forget too. */
  ofAClient: 20,
  /** Of one client for one email. NIST SP 800-63B-4, 3.2.2 allows 100 in all. */
  ofAPair: 5,
  /** For one email, from all clients: from then on a client has one attempt instead of five. */
  forAnEmail: 50,
};
const { failures, failuresWindowMs, signInWindowMs, ofAClient, ofAPair, forAnEmail } = ATTEMPT_LIMITS;

/** Of each kind, some 10 MB. The least recently used is forgotten first: more addresses than this do not help to guess a key. */
const REMEMBERED = upTo(50_000);

interface Window {
  attempts: number;
  readonly endsAt: number;
}

/**
 * Answers 429 in place of 401 to a client that keeps failing; counts failures only, so that a valid key is never held back by a
 * neighbour behind the same address. However many guess a person's password, the person gets in from an address of their own: a
 * client that has not failed yet always has an attempt.
 */
export class InMemoryAttemptThrottle implements AttemptThrottle {
  readonly #failures = new LRUCache<string, Window>(REMEMBERED);
  /** Each kind by itself: one client that tries many emails makes no other client forgotten. */
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
    // An attempt that is refused is kept nowhere: the windows of others would be forgotten for those of one who goes on and on.
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

/** The one that is open, or a new one that is kept nowhere yet. */
function windowOf(windows: LRUCache<string, Window>, name: string, now: number, lengthMs: number): Window {
  const known = windows.get(name);
  return known && known.endsAt > now ? known : { attempts: 0, endsAt: now + lengthMs };
}
