import { hash, hkdfSync, type KeyObject } from 'node:crypto';
import type { Count, CountWindow } from '../provider-kit/index.ts';
import type { CountedCheck } from './ports.ts';

/** Keys, windows and hashes of counts. Both drivers of `VelocityCounters` use them, so that their numbers are the same. */

const MINUTE_MS = 60_000;

/** Checks of one address, typed alike but for case, from one key family within this time count once. */
export const RETRY_MS = 10 * MINUTE_MS;

/** The most values that an entry keeps where it counts different values. */
export const MOST_VALUES = 100;

/** Parts of an entry's shortest window. Checks are counted by parts, and every window of the entry moves on by one part at a time. */
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

/** How long a part of an entry is, and how many parts an entry keeps. */
export interface Span {
  readonly partMs: number;
  readonly kept: number;
}

/** An entry's key, the value that the check adds to the entry, and the facts that show a number of the entry. */
export interface KeyedCount {
  readonly key: string;
  /** Where different values are counted, the hash of the check's value; 1 where checks are counted. */
  readonly value: number;
  readonly windows: readonly (readonly [fact: string, window: CountWindow])[];
}

/** A keyed hash of words, which reveals nothing of them: 10 characters (60 bits). */
export type CountHash = (...words: readonly string[]) => string;

/** `hmacKey` is the installation's. */
export function countHash(hmacKey: KeyObject): CountHash {
  // A derived key (RFC 5869): the hash in a count cannot be linked to the hash in a record.
  const secret = Buffer.from(hkdfSync('sha256', hmacKey, '', 'postern counters 2', 32)).toString('base64');
  // 60 bits, so that a key has 12 characters: V8 keeps a longer one as two strings, in twice the memory. Plain SHA-256 over a secret and
  // the text: a truncated hash cannot be extended, and an HMAC for each text would take five times as long, a tenth of a check.
  return (...words) => hash('sha256', [secret, ...words].join('\n'), 'base64url').slice(0, 10);
}

/**
 * The keys under which a check is counted. A key begins with the letters of its shortest and longest window, in capitals where
 * different values are counted. The key of a retry begins with `r`.
 */
export function keysOf(hashOf: CountHash, check: CountedCheck, counts: readonly Count[]) {
  const scope = scopeOf(check);
  // 32 bits of a hash tell the values of one entry apart: where two values collide, the count is one too low.
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
