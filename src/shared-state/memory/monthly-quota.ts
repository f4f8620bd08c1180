import type { InjectionToken } from '../../di.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { UsageStore } from '../../storage/ports.ts';
import type { Quota, QuotaVerdict, Reservation } from '../ports.ts';

interface Month {
  /** `2026-11`. */
  readonly name: string;
  /** On record, as far as this process knows: read from the store once, counted from there on. */
  used: number;
  reserved: number;
}

/** Reserves in memory; what is on record is read once for an account and month. For the one process that serves the database. */
export class MonthlyQuota implements Quota {
  readonly #usage: UsageStore;
  readonly #clock: Clock;
  readonly #limit: number;
  /** By account, the latest month and the one before: a clock set back finds its reservations again. */
  readonly #months = new Map<string, readonly Month[]>();
  /** By account and month, while it is read: requests that come meanwhile share it. */
  readonly #reading = new Map<string, Promise<Month>>();
  #named = { name: '', from: 0, until: 0 };

  constructor(usage: UsageStore, clock: Clock, limit: number) {
    this.#usage = usage;
    this.#clock = clock;
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  async reserve(accountId: string): Promise<QuotaVerdict> {
    const at = this.#clock.now();
    const month = await this.#month(accountId, this.#nameAt(at));
    if (month.used + month.reserved >= this.#limit) return { allowed: false, resetMs: nextMonth(at) - at };
    return {
      allowed: true,
      reservation: new Place(at, month, () => this.#usage.read(accountId, month.name)),
    };
  }

  /** The month of the last question answers nearly every other; a date costs more than the rest of a reservation. */
  #nameAt(at: number): string {
    if (at < this.#named.from || at >= this.#named.until) {
      const date = new Date(at);
      const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
      this.#named = { name: monthOf(at), from, until: nextMonth(at) };
    }
    return this.#named.name;
  }

  #month(accountId: string, name: string): Month | Promise<Month> {
    const known = this.#months.get(accountId)?.find((month) => month.name === name);
    if (known) return known;
    const key = `${name} ${accountId}`;
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#read(accountId, name).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  async #read(accountId: string, name: string): Promise<Month> {
    const month = { name, used: await this.#usage.read(accountId, name), reserved: 0 };
    this.#months.set(accountId, [month, ...(this.#months.get(accountId) ?? []).slice(0, 1)]);
    return month;
  }
}

/** Checks per account and month; null where `quota.checks_per_month` is. */
export const MONTHLY_QUOTA: InjectionToken<MonthlyQuota | null> = Symbol('MonthlyQuota');

/** A reservation of one place in a month. */
class Place implements Reservation {
  readonly at: number;
  readonly #month: Month;
  readonly #readUsed: () => Promise<number>;
  #isHeld = true;

  constructor(at: number, month: Month, readUsed: () => Promise<number>) {
    this.at = at;
    this.#month = month;
    this.#readUsed = readUsed;
    month.reserved += 1;
  }

  async settle(): Promise<void> {
    this.#giveUp(1);
  }

  async release(): Promise<void> {
    this.#giveUp(0);
  }

  async doubt(): Promise<void> {
    try {
      // What else is under way may be counted twice by this, never less than once.
      this.#month.used = Math.max(this.#month.used, await this.#readUsed());
    } finally {
      this.#giveUp(0);
    }
  }

  #giveUp(used: 0 | 1): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#month.reserved -= 1;
    this.#month.used += used;
  }
}

/** `2026-11`: the first characters of `created_at`. */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** When the month of an instant ends, in milliseconds since the epoch. */
export function nextMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
