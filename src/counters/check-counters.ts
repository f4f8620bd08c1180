import type { Counters, CountWindow } from '../provider-kit/index.ts';
import type { AccountCounters, Salts } from './account-counters.ts';
import type { SipHash } from './sip-hash.ts';

/** One check's counts as the journal has them. */
export interface CountedCheck {
  /** `AccountCounters.id` */
  readonly account: number;
  /** In ms since the epoch. */
  readonly at: number;
  readonly retryLow: number;
  readonly retryHigh: number;
  /** Three numbers for each count: 1 where its window is 24 hours, else 0; and the hash, low and high. */
  readonly counts: readonly number[];
}

/** More counts than these a check cannot have. */
export const MOST_COUNTS = 16;

export interface CheckCountersParts {
  readonly account: AccountCounters;
  readonly hash: SipHash;
  /** Of the account's counts. */
  readonly names: Salts;
  /** Of the account's keys. */
  readonly keys: Salts;
  /** Whose retries are told by: a key and those that replaced it. */
  readonly keyFamily: string;
  readonly at: number;
  readonly keep: (check: CountedCheck) => void;
}

/**
 * The counts of one check, from its first question to its answer. They count at once, so that checks side by side see
 * each other, and are taken back when the check is not answered after all.
 */
export class CheckCounters implements Counters, CountedCheck {
  readonly #parts: CheckCountersParts;
  #canonical = '';
  #text: string | undefined;
  #low = 0;
  #high = 0;
  #isRetry: boolean | undefined;
  #isOver = false;
  retryLow = 0;
  retryHigh = 0;
  readonly counts: number[] = [];

  constructor(parts: CheckCountersParts) {
    this.#parts = parts;
  }

  get account(): number {
    return this.#parts.account.id;
  }

  get at(): number {
    return this.#parts.at;
  }

  /** Whose check it is; before the first count. */
  about(canonicalAddress: string): this {
    this.#canonical = canonicalAddress;
    return this;
  }

  count(name: string, text: string, window: CountWindow): number {
    if (this.#isOver) throw new Error('this check was answered already');
    if (this.counts.length >= 3 * MOST_COUNTS) throw new Error(`a check has ${MOST_COUNTS} counts at most`);
    const { account, names, at } = this.#parts;
    const counter = account.windows[window];
    if (counter === undefined) throw new Error(`no window of ${window}`);
    this.#isRetry ??= this.#isRetryOf();
    const salt = names.of(name);
    this.#take(text);
    const low = (this.#low ^ salt.low) >>> 0;
    const high = (this.#high ^ salt.high) >>> 0;
    // Counted as something else the first time, it was not counted as this, and is one all the same.
    if (this.#isRetry) return Math.max(1, counter.read(low, high, at));
    this.counts.push(window === '24h' ? 1 : 0, low, high);
    return counter.add(low, high, at);
  }

  /** The check is on record: its counts stand, and outlive a restart. */
  settle(): void {
    if (this.#isOver) return;
    this.#end();
    if (this.counts.length > 0) this.#parts.keep(this);
  }

  /** The check was refused: it counts nothing. Does nothing after `settle`. */
  undo(): void {
    if (this.#isOver) return;
    this.#end();
    const { account, at } = this.#parts;
    if (this.#isRetry === false) account.retries.forget(this.retryLow, this.retryHigh);
    for (let i = 0; i < this.counts.length; i += 3) {
      const [daily, low, high] = this.counts.slice(i, i + 3) as [number, number, number];
      account.windows[daily === 1 ? '24h' : '1h'].undo(low, high, at);
    }
  }

  #isRetryOf(): boolean {
    const { account, keys, keyFamily, at } = this.#parts;
    const salt = keys.of(keyFamily);
    this.#take(this.#canonical);
    this.retryLow = (this.#low ^ salt.low) >>> 0;
    this.retryHigh = (this.#high ^ salt.high) >>> 0;
    return account.retries.isRetry(this.retryLow, this.retryHigh, at);
  }

  /** The canonical form is asked for three times in a row. */
  #take(text: string): void {
    if (text === this.#text) return;
    const { hash } = this.#parts;
    hash.of(text);
    this.#low = hash.low;
    this.#high = hash.high;
    this.#text = text;
  }

  #end(): void {
    this.#isOver = true;
    this.#canonical = '';
    this.#text = undefined;
  }
}
