import { compareKeys } from '../lib/text.ts';
import type { Hour } from './hours.ts';
import { Tally, type WrittenTally } from './tally.ts';

export interface KeyUsage {
  readonly account_id: string;
  readonly key_id: string;
  readonly checks: number;
  /** ISO 8601: its last check of that time. */
  readonly last_used_at: string;
}

/** Checks of a day, UTC. */
export interface DayUsage {
  /** `2026-11-20` */
  readonly day: string;
  readonly account_id: string;
  /** Of live keys; only these use quota. */
  readonly live: number;
  readonly test: number;
  /** By key, live or test. */
  readonly keys: Readonly<Record<string, number>>;
}

/** How often was asked, in the names that leave the process, as far as it is on record: retention and erasure take their checks out of it. */
export interface Usage {
  /** By account and key; keys without a check are not in it. */
  readonly keys: readonly KeyUsage[];
  /** By day and account; days without a check are not in it. */
  readonly days: readonly DayUsage[];
}

const COUNTED = ['decisions', 'test', 'keys'] as const;

/** Adds up the tallies of hours, in whatever order they come. */
export class UsageBuilder {
  readonly #days = new Map<
    string,
    { readonly day: string; readonly accountId: string; readonly tally: Tally }
  >();
  readonly #accounts = new Map<string, Tally>();

  add(accountId: string, hour: Hour, tally: WrittenTally): void {
    const day = hour.slice(0, 10);
    const place = `${day} ${accountId}`;
    const ofDay = this.#days.get(place) ?? { day, accountId, tally: new Tally() };
    this.#days.set(place, ofDay);
    ofDay.tally.mergeSeries(tally, COUNTED);
    const ofAccount = this.#accounts.get(accountId) ?? new Tally();
    this.#accounts.set(accountId, ofAccount);
    ofAccount.mergeSeries(tally, COUNTED);
    for (const [key, at] of Object.entries(tally.last_used ?? {})) ofAccount.use(key, at);
  }

  build(): Usage {
    return {
      keys: [...this.#accounts].flatMap(([accountId, tally]) =>
        [...tally.of('keys')].map(([keyId, checks]) => ({
          account_id: accountId,
          key_id: keyId,
          checks,
          last_used_at: tally.lastUsed.get(keyId) ?? '',
        })),
      ),
      days: [...this.#days].toSorted(compareKeys).map(([, { day, accountId, tally }]) => ({
        day,
        account_id: accountId,
        live: [...tally.of('decisions').values()].reduce((sum, count) => sum + count, 0),
        test: tally.of('test').get('checks') ?? 0,
        keys: Object.fromEntries(tally.of('keys')),
      })),
    };
  }
}
