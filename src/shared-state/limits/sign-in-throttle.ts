import { LRUCache } from 'lru-cache';
import { inject, injectable } from '../../di.ts';
import { CLOCK } from '../../lib/system-clock.ts';
import type { Clock } from '../../provider-kit/index.ts';
import { clientOf } from './client-of.ts';

const WINDOW_MS = 15 * 60_000;
/** Of one client, whomever it calls itself: people behind one address forget too. */
const OF_A_CLIENT = 20;
/** Of one client for one email. NIST SP 800-63B-4, 3.2.2 allows 100 in all. */
const OF_A_PAIR = 5;
/** For one email, from wherever: from then on a client has one attempt instead of five. */
const FOR_AN_EMAIL = 50;
/** Some MB; the least recently used is forgotten first. */
const REMEMBERED = 50_000;

export type SignInVerdict =
  | { readonly allowed: false; readonly resetMs: number }
  | {
      readonly allowed: true;
      /** Takes back what the attempt counted. */
      succeeded(): void;
    };

interface Window {
  attempts: number;
  readonly endsAt: number;
}

/**
 * Bounds attempts to sign in, by client and by email. However many guess a person's password, the person gets in from an
 * address of their own: a client that has not failed yet always has an attempt.
 */
@injectable()
export class SignInThrottle {
  readonly #clock: Clock;
  readonly #windows = new LRUCache<string, Window>({ max: REMEMBERED });

  constructor(@inject(CLOCK) clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an attempt that is about to be made. */
  begin(clientAddress: string, email: string): SignInVerdict {
    const now = this.#clock.now();
    const client = clientOf(clientAddress);
    const name = email.toLowerCase();
    const ofClient = this.#window(`client ${client}`, now);
    const ofPair = this.#window(`pair ${client} ${name}`, now);
    const forEmail = this.#window(`email ${name}`, now);
    const attempts = forEmail.attempts < FOR_AN_EMAIL ? OF_A_PAIR : 1;
    const reached = [ofClient.attempts >= OF_A_CLIENT && ofClient, ofPair.attempts >= attempts && ofPair];
    const ends = reached.flatMap((window) => (window ? [window.endsAt] : []));
    if (ends.length > 0) return { allowed: false, resetMs: Math.max(...ends) - now };
    const counted = [ofClient, ofPair, forEmail];
    for (const window of counted) window.attempts += 1;
    return {
      allowed: true,
      succeeded: () => {
        for (const window of counted) window.attempts -= 1;
      },
    };
  }

  #window(name: string, now: number): Window {
    const known = this.#windows.get(name);
    if (known && known.endsAt > now) return known;
    const window = { attempts: 0, endsAt: now + WINDOW_MS };
    this.#windows.set(name, window);
    return window;
  }
}
