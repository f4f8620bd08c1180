import type { Counters, CountWindow } from '../../provider-kit/index.ts';
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

/** What all checks of an account and environment are counted with. */
export interface CountingScope {
  /** `AccountCounters.id` */
  readonly id: number;
  readonly hash: SipHash;
  /** Of the account's counts. */
  readonly names: Salts;
  /** Of the account's keys. */
  readonly keys: Salts;
  /** Told of each check that was answered and counted. */
  readonly keep: (check: CountedCheck) => void;
}

/**
 * The counts of one check, from its first question to its answer. They count at once, so that checks side by side see
 * each other, and are taken back when the check is not answered after all.
 */
export class CheckCounters implements Counters, CountedCheck {
  readonly #scope: CountingScope;
  readonly #account: AccountCounters;
  readonly #keyFamily: string;
  readonly at: number;
  #canonical = '';
  #text: string | undefined;
  #low = 0;
  #high = 0;
  #isRetry: boolean | undefined;
  #isOver = false;
  retryLow = 0;
  retryHigh = 0;
  readonly counts: number[] = [];

  /** `keyFamily` is what tells retries: a key and those that replaced it. `at` in ms since the epoch. */
  constructor(scope: CountingScope, account: AccountCounters, keyFamily: string, at: number) {
    this.#scope = scope;
    this.#account = account;
    this.#keyFamily = keyFamily;
    this.at = at;
  }

  get account(): number {
    return this.#scope.id;
  }

  /** Whose check it is; before the first count. */
  about(canonicalAddress: string): this {
    this.#canonical = canonicalAddress;
    return this;
  }

  count(name: string, text: string, window: CountWindow): number {
    if (this.#isOver) throw new Error('this check was answered already');
    if (this.counts.length >= 3 * MOST_COUNTS) throw new Error(`a check has ${MOST_COUNTS} counts at most`);
    const counter = this.#account.windows[window];
    if (counter === undefined) throw new Error(`no window of ${window}`);
    this.#isRetry ??= this.#isRetryOf();
    const salt = this.#scope.names.of(name);
    this.#take(text);
    const low = (this.#low ^ salt.low) >>> 0;
    const high = (this.#high ^ salt.high) >>> 0;
    // Counted as something else the first time, it was not counted as this, and is one all the same.
    if (this.#isRetry) return Math.max(1, counter.read(low, high, this.at));
    this.counts.push(window === '24h' ? 1 : 0, low, high);
    return counter.add(low, high, this.at);
  }

  /** The check is on record: its counts stand, and outlive a restart. */
  settle(): void {
    if (this.#isOver) return;
    this.#end();
    if (this.counts.length > 0) this.#scope.keep(this);
  }

  /** The check was refused: it counts nothing. Does nothing after `settle`. */
  undo(): void {
    if (this.#isOver) return;
    this.#end();
    if (this.#isRetry === false) this.#account.retries.forget(this.retryLow, this.retryHigh);
    for (let i = 0; i < this.counts.length; i += 3) {
      const [daily, low, high] = this.counts.slice(i, i + 3) as [number, number, number];
      this.#account.windows[daily === 1 ? '24h' : '1h'].undo(low, high, this.at);
    }
  }

  #isRetryOf(): boolean {
    const salt = this.#scope.keys.of(this.#keyFamily);
    this.#take(this.#canonical);
    this.retryLow = (this.#low ^ salt.low) >>> 0;
    this.retryHigh = (this.#high ^ salt.high) >>> 0;
    return this.#account.retries.isRetry(this.retryLow, this.retryHigh, this.at);
  }

  /** The canonical form is asked for three times in a row. */
  #take(text: string): void {
    if (text === this.#text) return;
    const { hash } = this.#scope;
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
