import type { ApiKey, Environment } from '../../accounts/key.ts';
import type { InjectionToken } from '../../di.ts';
import { AccountCounters, Salts } from './account-counters.ts';
import { CheckCounters, type CountedCheck, type CountingScope } from './check-counters.ts';
import { RETRY_MS } from './retry-memory.ts';
import { SipHash, type SipKey } from './sip-hash.ts';
import type { MemoryBudget } from './slot-table.ts';
import { PARTS, WINDOWS } from './window-counter.ts';

/** What all accounts' counts take at most, besides the 26 kB that each begins with. */
const BUDGET_OCTETS = 24 * 2 ** 20;
/** The longest window. */
export const LONGEST_MS = 24 * 3_600_000;
/** A restored check from further ahead of the clock than this was written under another clock. */
const AHEAD_MS = 60_000;

export interface CounterBookOptions {
  readonly key: SipKey;
  /** Told of each check that was answered and counted. */
  readonly keep: (check: CountedCheck) => void;
  readonly budgetOctets?: number | undefined;
}

/** Every account's counts. In memory, under hashes that only this installation's secret can make. */
export class CounterBook {
  readonly #hash: SipHash;
  readonly #keep: (check: CountedCheck) => void;
  readonly #budget: MemoryBudget;
  readonly #byId = new Map<number, AccountCounters>();
  readonly #scopes: Readonly<Record<Environment, Map<string, CountingScope>>> = {
    live: new Map(),
    test: new Map(),
  };
  #forgottenBefore = 0;

  constructor({ key, keep, budgetOctets = BUDGET_OCTETS }: CounterBookOptions) {
    this.#hash = new SipHash(key);
    this.#keep = keep;
    this.#budget = { left: budgetOctets };
  }

  /** The counters of one check, to be settled or undone. `at` in ms since the epoch. */
  begin(
    { accountId, environment, family }: Pick<ApiKey, 'accountId' | 'environment' | 'family'>,
    at: number,
  ): CheckCounters {
    const scope = this.#scopes[environment].get(accountId) ?? this.#scopeOf(environment, accountId);
    const account = this.#account(scope.id);
    account.lastUsed = Math.max(account.lastUsed, at);
    return new CheckCounters(scope, account, family, at);
  }

  /** Counts a check again that was answered before a restart. */
  restore({ account: id, at, retryLow, retryHigh, counts }: CountedCheck, now: number): void {
    if (at <= now - LONGEST_MS || at > now + AHEAD_MS) return;
    const account = this.#account(id);
    account.lastUsed = Math.max(account.lastUsed, at);
    if (at > now - RETRY_MS) account.retries.isRetry(retryLow, retryHigh, at);
    for (let i = 0; i < counts.length; i += 3) {
      const window = counts[i] === 1 ? '24h' : '1h';
      if (at <= now - PARTS * WINDOWS[window].partMs) continue;
      account.windows[window].add(counts[i + 1] as number, counts[i + 2] as number, at);
    }
  }

  /** Gives back what accounts hold whose every window has passed. */
  sweep(now: number): void {
    for (const [id, account] of this.#byId) {
      if (account.lastUsed > now - LONGEST_MS) continue;
      this.#byId.delete(id);
      this.#budget.left += account.octets;
      this.#forgottenBefore += account.forgotten;
    }
  }

  get stats(): { readonly octets: number; readonly forgotten: number } {
    let octets = 0;
    let forgotten = this.#forgottenBefore;
    for (const account of this.#byId.values()) {
      octets += account.octets;
      forgotten += account.forgotten;
    }
    return { octets, forgotten };
  }

  #scopeOf(environment: Environment, accountId: string): CountingScope {
    const scope = `${environment} ${accountId}`;
    this.#hash.of(`scope ${scope}`);
    const made = {
      id: this.#hash.low,
      hash: this.#hash,
      keep: this.#keep,
      names: new Salts(this.#hash, `name ${scope}`),
      keys: new Salts(this.#hash, `key ${scope}`),
    };
    this.#scopes[environment].set(accountId, made);
    return made;
  }

  #account(id: number): AccountCounters {
    let account = this.#byId.get(id);
    if (!account) {
      account = new AccountCounters(id, this.#budget);
      this.#byId.set(id, account);
    }
    return account;
  }
}

/** How often was asked before, by account. */
export const COUNTERS: InjectionToken<CounterBook> = Symbol('Counters');
