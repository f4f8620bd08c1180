import { compareKeys } from '../lib/text.ts';
import type { Hour } from './hours.ts';
import { Tally, type WrittenTally } from './tally.ts';

/** As far as it is on record: retention and erasure take their checks out of it. Keys and days without a check are not in it. */
export type Usage = ReturnType<UsageBuilder['build']>;

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

  /** Of all that was added, which is `countedShare` of what there is. */
  build(countedShare: number) {
    return {
      counted_share: countedShare,
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
