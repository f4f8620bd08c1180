import { hash, hkdfSync, type KeyObject } from 'node:crypto';
import type { Count, CountWindow } from '../provider-kit/index.ts';
import type { CountedCheck } from './ports.ts';

/** What both drivers of `VelocityCounters` count by, so that their numbers are the same. */

const MINUTE_MS = 60_000;

/** The same address, typed alike but for case, from the same key family within this counts once. */
export const RETRY_MS = 10 * MINUTE_MS;

/** Of an entry that counts different values. */
export const MOST_VALUES = 100;

/** The shortest window of an entry is counted in so many parts, and each window moves on by one part at a time. */
const PARTS = 12;
const WINDOWS = {
  '1h': { letter: 'h', minutes: 60 },
  '24h': { letter: 'd', minutes: 24 * 60 },
  '7d': { letter: 'w', minutes: 7 * 24 * 60 },
  '30d': { letter: 'm', minutes: 30 * 24 * 60 },
} as const satisfies Record<CountWindow, { readonly letter: string; readonly minutes: number }>;
const MINUTES = new Map<string, number>(
  Object.values(WINDOWS).map(({ letter, minutes }) => [letter, minutes]),
);

/** How long a part of an entry is, and for how many of them it is kept. */
export interface Span {
  readonly partMs: number;
  readonly kept: number;
}

/** An entry's key, what the check adds to it, and the facts that show a number of it. */
export interface KeyedCount {
  readonly key: string;
  /** Of different values, the one of this check; 1 where checks are counted. */
  readonly value: number;
  readonly windows: readonly (readonly [fact: string, window: CountWindow])[];
}

/** A hash of words by which nothing can be found out: texts of 60 bits. */
export type CountHash = (...words: readonly string[]) => string;

/** `hmacKey` is the installation's. */
export function countHash(hmacKey: KeyObject): CountHash {
  // A key of its own (RFC 5869): a count's hash reveals nothing of the hash in a record.
  const secret = Buffer.from(hkdfSync('sha256', hmacKey, '', 'postern counters 2', 32)).toString('base64');
  // 60 bits, so that a key has 12 characters: V8 keeps a longer one as two strings, in twice the memory. SHA-256 over a secret and the
  // text: what is cut off leaves nothing to lengthen, and an HMAC for each text would take five times as long, a tenth of a check.
  return (...words) => hash('sha256', [secret, ...words].join('\n'), 'base64url').slice(0, 10);
}

/**
 * The keys of counts begin with the letters of their shortest and longest window; where the letters are capitals, different values
 * are counted. `r` begins the keys of retries.
 */
export function keysOf(hashOf: CountHash, check: CountedCheck, counts: readonly Count[]) {
  const scope = scopeOf(check);
  // 32 bits of a hash tell the values of one entry apart: two that fall together count one less.
  const numberOfValue = (distinct: string) =>
    Buffer.from(hashOf(scope, distinct), 'base64url').readUInt32BE();
  return {
    retryKey: `r${hashOf(scope, check.keyFamily, check.spelling)}`,
    keyed: counts.map(
      (count): KeyedCount => ({
        key: `${prefixOf(count)}${hashOf(scope, Object.keys(count.facts).join(' '), count.text)}`,
        value: count.distinct === undefined ? 1 : numberOfValue(count.distinct),
        windows: Object.entries(count.facts),
      }),
    ),
  };
}

/** Accounts and environments see nothing of each other's counts. */
export function scopeOf({ environment, accountId }: CountedCheck): string {
  return `${environment} ${accountId}`;
}

/** The letter of the shortest window, which sets how long a part is, and that of the longest, for which parts are kept. */
function prefixOf({ facts, distinct }: Count): string {
  const windows = Object.values(facts).sort((a, b) => WINDOWS[a].minutes - WINDOWS[b].minutes);
  const letterOf = (window = windows[0]) => (window ? WINDOWS[window].letter : '');
  const letters = letterOf() + letterOf(windows.at(-1));
  return distinct === undefined ? letters : letters.toUpperCase();
}

export function countsValues(key: string): boolean {
  return key.charAt(0) < 'a';
}

export function spanOf(key: string): Span {
  const msOf = (letter: string) => (MINUTES.get(letter.toLowerCase()) ?? 0) * MINUTE_MS;
  const partMs = msOf(key.charAt(0)) / PARTS;
  return { partMs, kept: msOf(key.charAt(1)) / partMs };
}

export function partOf({ partMs }: Span, at: number): number {
  return Math.floor(at / partMs);
}

/** How many parts of an entry a window has. */
export function lengthOf(window: CountWindow, { partMs }: Span): number {
  return (WINDOWS[window].minutes * MINUTE_MS) / partMs;
}
