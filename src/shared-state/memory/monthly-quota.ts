import { Mutex } from '../../lib/concurrency.ts';
import { isoTime } from '../../lib/time.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { UsageStore } from '../../storage/ports.ts';
import type { Quota, QuotaVerdict } from '../ports.ts';

/** What one of several instances may take without the store's word: so many places at most, and this part of what is left. */
const MOST_LEASED = 100;
const LEASED = 0.01;
/** Reads of the store before a request is refused though places may be free that were counted twice. */
const MOST_READS = 3;

interface Month {
  /** On record when the store was asked last, and how many places were settled here by then. */
  read: number;
  settledByThen: number;
  /** Places settled here in all. */
  settled: number;
  /** Places under way here. */
  reserved: number;
  /** Places that may be settled since the store was asked, or under way, before it is asked again. */
  lease: number;
  reading?: Promise<void> | undefined;
  /** The store is asked one question after the other: an older answer must not take the place of a newer one. */
  readonly questions: Mutex;
  /** Resolves when a place under way here has ended. */
  ended: PromiseWithResolvers<void>;
}

/**
 * Reserves in memory; what is on record is read once for an account and month. For the one process that serves the database.
 *
 * With `isShared`, for one of several over one database: what is on record is read again after each lease, 1 % of what is left and
 * 100 places at most, at least one. An instance that has its lease under way waits until one of these places has ended. So the limit
 * is exceeded by no more than the leases of the others, however their requests fall together. Whether there are others is not asked:
 * Valkey, which would know, may be away, or be reached only later. While
 * `audit.durability` is `async`, what is on record lags by up to a second of checks.
 */
export class MonthlyQuota implements Quota {
  /** By account, then by name: the last two that were asked for, so that a clock set back finds its reservations again. */
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
      // What was settled while the store was asked may be counted twice.
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
    let isHeld = true;
    const end = (settled: 0 | 1) => {
      if (!isHeld) return;
      isHeld = false;
      month.reserved -= 1;
      month.settled += settled;
      month.ended.resolve();
      month.ended = Promise.withResolvers();
    };
    return {
      allowed: true,
      reservation: {
        at,
        settle: async () => end(1),
        release: async () => end(0),
        doubt: async () => {
          try {
            await month.questions.run(() => {
              // Until the store has answered, none is given out by what it said before.
              month.lease = 0;
              // What else is under way may be counted twice by this, never less than once.
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
      // What was settled since may be in it or not.
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
