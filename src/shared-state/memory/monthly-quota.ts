import { isoTime } from '../../lib/time.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { UsageStore } from '../../storage/ports.ts';
import type { Quota, QuotaVerdict } from '../ports.ts';

interface Month {
  /** On record, as far as this process knows: read from the store once, counted from there on. */
  used: number;
  reserved: number;
}

/** Reserves in memory; what is on record is read once for an account and month. For the one process that serves the database. */
export class MonthlyQuota implements Quota {
  /** By account, then by name: the last two that were asked for, so that a clock set back finds its reservations again. */
  readonly #months = new Map<string, Map<string, Promise<Month>>>();

  constructor(
    private readonly usage: UsageStore,
    private readonly clock: Clock,
    readonly limit: number,
  ) {}

  async reserve(accountId: string): Promise<QuotaVerdict> {
    const at = this.clock.now();
    const name = monthOf(at);
    const month = await this.#month(accountId, name);
    if (month.used + month.reserved >= this.limit) return { allowed: false, resetMs: nextMonth(at) - at };
    month.reserved += 1;
    let isHeld = true;
    const end = (used: 0 | 1) => {
      if (!isHeld) return;
      isHeld = false;
      month.reserved -= 1;
      month.used += used;
    };
    return {
      allowed: true,
      reservation: {
        at,
        settle: async () => end(1),
        release: async () => end(0),
        doubt: async () => {
          try {
            // What else is under way may be counted twice by this, never less than once.
            month.used = Math.max(month.used, await this.usage.read(accountId, name));
          } finally {
            end(0);
          }
        },
      },
    };
  }

  #month(accountId: string, name: string): Promise<Month> {
    const months = this.#months.get(accountId) ?? new Map<string, Promise<Month>>();
    this.#months.set(accountId, months);
    let month = months.get(name);
    if (!month) {
      month = this.usage.read(accountId, name).then((used) => ({ used, reserved: 0 }));
      month.catch(() => months.delete(name));
      months.set(name, month);
      const [oldest = name] = months.keys();
      if (months.size > 2) months.delete(oldest);
    }
    return month;
  }
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
