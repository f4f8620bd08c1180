import type { KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { once } from '../../lib/concurrency.ts';
import type { Count, CountWindow } from '../../provider-kit/index.ts';
import {
  type CountHash,
  countHash,
  countsValues,
  keysOf,
  lengthOf,
  MOST_VALUES,
  partOf,
  RETRY_MS,
  scopeOf,
  spanOf,
} from '../count-keys.ts';
import type { CountedCheck, CountReceipt, VelocityCounters } from '../ports.ts';

/** Memory of all accounts together. A check of a new address makes four entries, of which one lasts ten minutes. */
const MOST_OCTETS = 48 * 1_024 * 1_024;
/** Entries that an account may have however many the others have. */
const OWN_ENTRIES = 1_000;
/** Estimates, measured with Node on 64 bits: the key, its place in the map and its list; a pair of numbers. */
export const ENTRY_OCTETS = 172;
export const PAIR_OCTETS = 16;
const KEY = /^(?:r|[hdwm]{2}|[HDWM]{2})[\w-]{10}$/;

/** Entries written or looked through before the event loop runs other work. */
const SLICE = 2_000;
/** A count from further ahead of the clock than this was written under another clock. */
const AHEAD_MS = 60_000;

/**
 * Lists of pairs of numbers by key, the oldest pair first. Where checks are counted, a pair is a part and its number of checks. Where
 * different values are counted, it is the part in which a value was last counted, and the value. For a retry: when it was counted, and 1.
 */
type Entries = Map<string, number[]>;

/** The counts of one account and environment. */
interface Account {
  /** In the order in which the entries were last stored. */
  readonly entries: Entries;
  /**
   * An iterator that stays at the oldest entry: a new one would step over every key deleted before that entry. Made when the first entry
   * is forgotten: before, it would keep the map's older, smaller tables in memory.
   */
  oldest?: MapIterator<string>;
  /** The values of checks that are not on record yet, by key: one for each check, 1 where checks are counted. */
  readonly pending: Map<string, number[]>;
}

/**
 * Counts in memory. When the memory is full, an account that stores a new entry forgets its own oldest entries, never those of another
 * account. Counts of checks that are not on record yet are kept apart, so that a snapshot never holds them.
 */
export class InMemoryVelocityCounters implements VelocityCounters {
  readonly #hash: CountHash;
  readonly #mostOctets: number;
  readonly #accounts = new Map<string, Account>();
  #octets = 0;
  #forgotten = 0;

  /** `hmacKey` is the installation's. */
  constructor(hmacKey: KeyObject, mostOctets = MOST_OCTETS) {
    this.#hash = countHash(hmacKey);
    this.#mostOctets = mostOctets;
  }

  async count(check: CountedCheck, counts: readonly Count[]): Promise<CountReceipt> {
    const { at } = check;
    const account = this.#account(this.#hash(scopeOf(check)));
    const { retryKey, keyed } = keysOf(this.#hash, check, counts);
    const numbers = () => {
      const told: Record<string, number> = {};
      for (const { key, windows } of keyed) {
        // At least 1: a retry may ask for counts under which the first try was not counted.
        for (const [fact, window] of windows) told[fact] = Math.max(1, numberOf(account, key, window, at));
      }
      return told;
    };
    const [countedAt] = account.entries.get(retryKey) ?? [];
    // Ten minutes from when it was counted, not from the last try: else an address that is tried each minute would count only once.
    const isRetry = countedAt !== undefined && Math.abs(at - countedAt) < RETRY_MS;
    if (isRetry) return { numbers: numbers(), settle: async () => undefined, undo: async () => undefined };
    this.#put(account, retryKey, [at, 1]);
    for (const { key, value } of keyed)
      account.pending.set(key, [...(account.pending.get(key) ?? []), value]);
    const end = once((isCounted: boolean) => {
      for (const { key, value } of keyed) {
        const values = account.pending.get(key) ?? [];
        values.splice(values.indexOf(value), 1);
        if (values.length === 0) account.pending.delete(key);
        if (isCounted) this.#add(account, key, value, at);
      }
      if (!isCounted) this.#remove(account, retryKey);
    });
    return { numbers: numbers(), settle: async () => end(true), undo: async () => end(false) };
  }

  get stats(): { readonly octets: number; readonly forgotten: number } {
    return { octets: this.#octets, forgotten: this.#forgotten };
  }

  /** Tells the snapshots made with this key from those made with another. */
  get mark(): string {
    return this.#hash('snapshot');
  }

  /**
   * Yields every entry that still counts, as lines that `restore` reads, and deletes the others. Slice by slice, so that requests do
   * not wait for it. An entry that is counted meanwhile is in this dump or the next, and may be in it twice: the later line is newer.
   */
  async *dump(now: number): AsyncGenerator<string> {
    let looked = 0;
    let text = '';
    for (const [id, account] of this.#accounts) {
      text += `@${id}\n`;
      for (const [key, numbers] of account.entries) {
        const current = stillCounting(key, numbers, now);
        if (current.length > 0) text += `${key} ${current.join(' ')}\n`;
        else this.#remove(account, key);
        looked += 1;
        if (looked % SLICE > 0) continue;
        yield text;
        text = '';
        await setImmediate();
      }
      if (account.entries.size === 0 && account.pending.size === 0) this.#accounts.delete(id);
    }
    yield text;
  }

  /** Restores the text that `dump` wrote. Throws, with nothing restored, where the text is another. */
  restore(text: string, now: number): void {
    let account: Account | undefined;
    try {
      for (const line of text.split('\n')) {
        if (line === '') continue;
        if (line.startsWith('@')) {
          account = this.#account(line.slice(1));
          continue;
        }
        const [key = '', ...words] = line.split(' ');
        const numbers = words.map(Number);
        const arePairs = numbers.length > 0 && numbers.length % 2 === 0;
        if (!account || !KEY.test(key) || !arePairs || !numbers.every(Number.isSafeInteger)) {
          throw new Error('it has a line that is no count');
        }
        const latest = key.startsWith('r') ? now + AHEAD_MS : partOf(spanOf(key), now + AHEAD_MS);
        const current = stillCounting(key, numbers, now).filter((_, i, all) => (all[i & ~1] ?? 0) <= latest);
        if (current.length > 0) this.#put(account, key, current);
      }
    } catch (error) {
      this.#accounts.clear();
      this.#octets = 0;
      throw error;
    }
  }

  #account(id: string): Account {
    let account = this.#accounts.get(id);
    if (!account) {
      account = { entries: new Map(), pending: new Map() };
      this.#accounts.set(id, account);
    }
    return account;
  }

  #add(account: Account, key: string, value: number, at: number): void {
    const numbers = account.entries.get(key);
    const isInPart = !countsValues(key) && numbers?.at(-2) === partOf(spanOf(key), at);
    // Counts in place until the next part begins: moving an entry that every check counts would cost more than all else.
    if (numbers && isInPart) numbers[numbers.length - 1] = (numbers.at(-1) ?? 0) + value;
    else this.#put(account, key, counted(key, numbers, value, at));
  }

  /** Stores an entry as the account's newest, and makes room for it. */
  #put(account: Account, key: string, numbers: number[]): void {
    const { entries } = account;
    this.#remove(account, key);
    const octets = octetsOf(numbers);
    while (this.#octets + octets > this.#mostOctets && entries.size >= OWN_ENTRIES)
      this.#forgetOldest(account);
    this.#octets += octets;
    entries.set(key, numbers);
  }

  #forgetOldest(account: Account): void {
    account.oldest ??= account.entries.keys();
    const { value: oldest } = account.oldest.next();
    if (oldest === undefined) return;
    this.#remove(account, oldest);
    this.#forgotten += 1;
  }

  #remove({ entries }: Account, key: string): void {
    const numbers = entries.get(key);
    if (!numbers) return;
    this.#octets -= octetsOf(numbers);
    entries.delete(key);
  }
}

function octetsOf(numbers: readonly number[]): number {
  return ENTRY_OCTETS + (numbers.length / 2) * PAIR_OCTETS;
}

function numberOf({ entries, pending }: Account, key: string, window: CountWindow, at: number): number {
  const span = spanOf(key);
  const pairs = inWindow(entries.get(key) ?? [], partOf(span, at), lengthOf(window, span), span.kept);
  const waiting = pending.get(key) ?? [];
  if (countsValues(key))
    return Math.min(MOST_VALUES, new Set([...waiting, ...pairs.filter((_, i) => i % 2 === 1)]).size);
  let sum = waiting.length;
  for (let i = 1; i < pairs.length; i += 2) sum += pairs[i] ?? 0;
  return sum;
}

/** The entry's numbers with `value` counted at `at`; counted in the newest part while the clock is set back. */
function counted(key: string, numbers: readonly number[] = [], value: number, at: number): number[] {
  const pairs = stillCounting(key, numbers, at);
  const newest = pairs.at(-2);
  const part = Math.max(newest ?? 0, partOf(spanOf(key), at));
  if (countsValues(key)) {
    const others = pairs.filter((_, i, all) => all[i | 1] !== value);
    return others.slice(-2 * (MOST_VALUES - 1)).concat(part, value);
  }
  // Not by spreading: each list would keep room for sixteen more numbers.
  if (part !== newest) return pairs.concat(part, value);
  return pairs.with(-1, (pairs.at(-1) ?? 0) + value);
}

/** The numbers of an entry that count at `at`; none where its time is over. */
function stillCounting(key: string, numbers: readonly number[], at: number): number[] {
  if (key.startsWith('r')) return Math.abs(at - (numbers[0] ?? 0)) < RETRY_MS ? [...numbers] : [];
  const span = spanOf(key);
  return inWindow(numbers, partOf(span, at), span.kept, span.kept);
}

/** The pairs of the last `length` parts. None where the newest part is so far ahead that a wrong clock made it: counting begins anew. */
function inWindow(pairs: readonly number[], part: number, length: number, kept: number): number[] {
  const newest = pairs.at(-2) ?? part;
  if (newest - part >= kept) return [];
  let first = 0;
  while (first < pairs.length && (pairs[first] ?? 0) <= Math.max(part, newest) - length) first += 2;
  return pairs.slice(first);
}
