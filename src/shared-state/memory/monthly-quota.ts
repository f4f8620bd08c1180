import { Mutex, once } from '../../lib/concurrency.ts';
import { isoTime } from '../../lib/time.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { UsageStore } from '../../storage/ports.ts';
import type { Quota, QuotaVerdict } from '../ports.ts';

/** The lease: how many places one of several instances may take before it asks the store again. At most so many, and this share of the rest. */
const MOST_LEASED = 100;
const LEASED = 0.01;
/** After so many reads of the store a request is refused, though places that were counted twice may still be free. */
const MOST_READS = 3;

interface Month {
  /** Checks on record when the store was last asked, and the places settled here by then. */
  read: number;
  settledByThen: number;
  /** Places settled here in all. */
  settled: number;
  /** Places under way here. */
  reserved: number;
  /** How many places may be settled since the store was last asked, or be under way, before it is asked again. */
  lease: number;
  reading?: Promise<void> | undefined;
  /** Serializes the queries of the store: an older answer must not replace a newer one. */
  readonly questions: Mutex;
  /** Resolves when a place under way here has ended. */
  ended: PromiseWithResolvers<void>;
}

/**
 * Reserves places in memory. For the only process that serves the database: it reads the checks on record once for an account and month.
 *
 * With `isShared`, for one of several instances over one database: the checks on record are read again after each lease, which is 1 %
 * of the places that are left, at most 100 and at least one. An instance with its whole lease under way waits until one of these places
 * has ended. So the limit is exceeded at most by the leases of the other instances. Leases are taken even by a single instance: Valkey,
 * which knows how many there are, may be away. While `audit.durability` is `async`, the checks on record lag by up to a second.
 */
export class MonthlyQuota implements Quota {
  /** By account, then by month: two months, so that a clock that is set back finds its reservations again. */
  readonly #months = new Map<string, Map<string, Month>>();

  constructor(
    private readonly usage: Pick<UsageStore, 'read'>,
    private readonly clock: Clock,
    readonly limit: number,
    private readonly isShared = false,
  ) {}

  async reserve(accountId: string): Promise<QuotaVerdict> {
    const at = this.clock.now();
    const name = monthOf(at);
    const month = this.#month(accountId, name);
    const read = () => this.#read(month, accountId, name);
    for (let reads = 0; ; ) {
      const sinceRead = month.settled - month.settledByThen;
      const isFull = usedOf(month) + month.reserved >= this.limit;
      // Places settled while the store was asked may be counted twice: so ask again before refusing.
      if (isFull && (!this.isShared || sinceRead === 0 || reads === MOST_READS))
        return { allowed: false, resetMs: nextMonth(at) - at };
      const isLeased = sinceRead + month.reserved < month.lease;
      if (!isFull && isLeased) break;
      if (!isFull && reads > 0 && month.reserved > 0) {
        await month.ended.promise;
        reads = 0;
        continue;
      }
      month.reading ??= month.questions.run(read).finally(() => {
        month.reading = undefined;
      });
      await month.reading;
      reads += 1;
    }
    month.reserved += 1;
    const end = once((settled: 0 | 1) => {
      month.reserved -= 1;
      month.settled += settled;
      month.ended.resolve();
      month.ended = Promise.withResolvers();
    });
    return {
      allowed: true,
      reservation: {
        at,
        settle: async () => end(1),
        release: async () => end(0),
        doubt: async () => {
          try {
            await month.questions.run(() => {
              // No place is given by the lease before, until the store has answered.
              month.lease = 0;
              // Other places under way may be counted twice by this, but never be missed.
              return read();
            });
          } finally {
            end(0);
          }
        },
      },
    };
  }

  #month(accountId: string, name: string): Month {
    const months = this.#months.get(accountId) ?? new Map<string, Month>();
    this.#months.set(accountId, months);
    let month = months.get(name);
    if (!month) {
      const none = { read: 0, settledByThen: 0, settled: 0, reserved: 0, lease: 0 };
      month = { ...none, questions: new Mutex(), ended: Promise.withResolvers() };
      months.set(name, month);
      const [oldest = name] = months.keys();
      if (months.size > 2) months.delete(oldest);
    }
    return month;
  }

  async #read(month: Month, accountId: string, name: string): Promise<void> {
    const { settled } = month;
    const read = await this.usage.read(accountId, name);
    if (this.isShared) {
      month.read = read;
      // Places settled since the query began may be in the answer or not: they count again.
      month.settledByThen = settled;
      const left = this.limit - usedOf(month) - month.reserved;
      month.lease = Math.max(1, Math.min(MOST_LEASED, Math.floor(left * LEASED)));
    } else {
      month.read = Math.max(usedOf(month), read);
      month.settledByThen = month.settled;
      month.lease = Number.POSITIVE_INFINITY;
    }
  }
}

function usedOf({ read, settled, settledByThen }: Month): number {
  return read + settled - settledByThen;
}

/** `2026-11`: the first characters of `created_at`. */
export function monthOf(at: number): string {
  return isoTime(at).slice(0, 7);
}

/** When the month of an instant ends, in milliseconds since the epoch. */
export function nextMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
