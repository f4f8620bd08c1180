import type { Clock, ProviderStore } from 'postern/provider-kit';
import { getDomain } from 'tldts';
import { hashed } from './hashed.ts';

export interface DailyBudgetOptions {
  readonly store: ProviderStore;
  readonly clock: Clock;
  /** Questions on one UTC day, in all. */
  readonly total: number;
  /** Questions on one UTC day, for one registered domain with its subdomains. */
  readonly perDomain: number;
}

/** A count is kept until the next UTC day is over, at whatever time of its day it was written. */
const LIFE_SECONDS = 2 * 86_400;

/** How many mail hosts may still be asked today. Counted before a host is asked, so that a crash gives nothing back. */
export class DailyBudget {
  readonly #options: DailyBudgetOptions;
  #day = '';
  /** By key in the store: what is known to be spent today. */
  readonly #spent = new Map<string, number>();

  constructor(options: DailyBudgetOptions) {
    this.#options = options;
  }

  /** Spends one question. False when none is left, or when the store fails. */
  async take(domain: string): Promise<boolean> {
    const { store, clock, total, perDomain } = this.#options;
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    if (day !== this.#day) {
      this.#day = day;
      this.#spent.clear();
    }
    const limits = [
      [`spent ${day}`, total],
      // Subdomains cost nothing to make, and the mail of all may go to one host.
      [`spent ${day} ${hashed(getDomain(domain, { allowPrivateDomains: true }) ?? domain)}`, perDomain],
    ] as const;
    const isUsedUp = () => limits.some(([key, limit]) => this.#spentOn(key) >= limit);
    if (isUsedUp()) return false;
    try {
      await Promise.all(limits.map(([key]) => this.#load(key)));
      // No await until both are counted in memory, so that two concurrent questions count as two.
      if (isUsedUp()) return false;
      const counted = limits.map(([key]) => [key, this.#spentOn(key) + 1] as const);
      for (const [key, count] of counted) this.#spent.set(key, count);
      await Promise.all(counted.map(([key, count]) => store.set(key, String(count), LIFE_SECONDS)));
      return true;
    } catch {
      return false;
    }
  }

  /** Asks each time: other instances spend from the same store. */
  async #load(key: string): Promise<void> {
    const stored = Number((await this.#options.store.get(key)) ?? 0);
    this.#spent.set(key, Math.max(stored, this.#spentOn(key)));
  }

  #spentOn(key: string): number {
    return this.#spent.get(key) ?? 0;
  }
}
