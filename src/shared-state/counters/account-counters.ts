import type { CountWindow } from '../../provider-kit/index.ts';
import { RetryMemory } from './retry-memory.ts';
import type { Hash64, SipHash } from './sip-hash.ts';
import type { MemoryBudget } from './slot-table.ts';
import { WindowCounter } from './window-counter.ts';

/** What is counted for one account and environment. Each has tables of its own: nobody makes another's counts go. */
export class AccountCounters {
  /** In the journal, in place of the account. */
  readonly id: number;
  readonly windows: Readonly<Record<CountWindow, WindowCounter>>;
  readonly retries: RetryMemory;
  /** In ms since the epoch. */
  lastUsed = 0;

  constructor(id: number, budget: MemoryBudget) {
    this.id = id;
    this.windows = { '1h': new WindowCounter('1h', budget), '24h': new WindowCounter('24h', budget) };
    this.retries = new RetryMemory(budget);
  }

  get octets(): number {
    return this.windows['1h'].octets + this.windows['24h'].octets + this.retries.octets;
  }

  /** What was given up for want of memory. */
  get forgotten(): number {
    return this.windows['1h'].forgotten + this.windows['24h'].forgotten + this.retries.forgotten;
  }
}

/**
 * A keyed hash for each word. Laid over the hash of a text it makes another that belongs to the word alone, so that
 * the text is hashed once however many counts it is counted in.
 */
export class Salts {
  readonly #hash: SipHash;
  readonly #prefix: string;
  readonly #byWord = new Map<string, Hash64>();

  constructor(hash: SipHash, prefix: string) {
    this.#hash = hash;
    this.#prefix = prefix;
  }

  of(word: string): Hash64 {
    const known = this.#byWord.get(word);
    if (known) return known;
    this.#hash.of(`${this.#prefix} ${word}`);
    const { low, high } = this.#hash;
    const salt = { low, high };
    this.#byWord.set(word, salt);
    return salt;
  }
}
