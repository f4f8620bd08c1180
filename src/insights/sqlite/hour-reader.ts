import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CheckHour } from '../../storage/ports.ts';
import { type Hour, holds, hourOf, isSettled, nextHour, type Range } from '../hours.ts';
import type { OfAccount } from '../insights-queries.ts';
import { type CheckTallier, type CountedCheck, Tally, type WrittenTally } from '../tally.ts';

const COUNTED = `created_at, key_id, environment, action, risk_score, risk_level, unknown, ledger, timings, domain, duration_us`;
const OF_TIME = 'account_id = ? AND created_at >= ? AND created_at < ?';
/** What was counted of the checks of an account in an hour, or in the part of it that was asked for. */
export interface CountedHour {
  readonly accountId: string;
  readonly hour: Hour;
  readonly tally: WrittenTally;
  /** Whether it was counted just now and will be stored, so that it is not counted again. */
  readonly isFresh: boolean;
}

/** Reads what was counted of hours, and counts what was not: hours that are not over, parts of hours, and hours that were not asked for yet. */
export class HourReader {
  readonly #database: DatabaseSync;
  readonly #tallier: CheckTallier;
  #fresh: CheckHour[] = [];
  readonly #nextAccount: StatementSync;
  readonly #nextCheck: StatementSync;
  readonly #checksIn: StatementSync;
  readonly #stored: StatementSync;
  readonly #checks: StatementSync;

  constructor(database: DatabaseSync, tallier: CheckTallier) {
    this.#database = database;
    this.#tallier = tallier;
    this.#nextAccount = database.prepare('SELECT min(account_id) AS id FROM checks WHERE account_id > ?');
    this.#nextCheck = database.prepare(`SELECT min(created_at) AS at FROM checks WHERE ${OF_TIME}`);
    this.#checksIn = database.prepare(`SELECT count(*) AS checks FROM checks WHERE ${OF_TIME}`);
    this.#stored = database.prepare(
      'SELECT checks, tally FROM check_hours WHERE account_id = ? AND hour = ?',
    );
    this.#checks = database.prepare(`SELECT ${COUNTED} FROM checks WHERE ${OF_TIME}`);
  }

  /** Every hour of the range in which there are checks. Where one is counted, and was not before, that takes a moment. */
  *read({ accountId, ...range }: OfAccount & Range, now: number): Generator<CountedHour> {
    for (const account of accountId === undefined ? this.#accounts() : [accountId]) {
      for (const hour of this.#hours(account, range)) {
        const isWhole = holds(range, hour) && isSettled(hour, now);
        const before = this.#fresh.length;
        const tally = isWhole ? this.#whole(account, hour) : this.#count(account, within(range, hour));
        yield { accountId: account, hour, tally, isFresh: this.#fresh.length > before };
      }
    }
  }

  /** How many checks there are in all, by the index alone. */
  checksOf({ accountId, since, until }: OfAccount & Range): number {
    const ofAccount = accountId === undefined ? [] : [accountId];
    const row = this.#database
      .prepare(
        `SELECT count(*) AS checks FROM checks
         WHERE ${ofAccount.map(() => 'account_id = ? AND ').join('')}created_at >= ? AND created_at < ?`,
      )
      .get(...ofAccount, since, until);
    return Number(row?.checks);
  }

  /** What was counted since it was last asked, to be stored. */
  takeFresh(): readonly CheckHour[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  *#accounts(): Generator<string> {
    let last = '';
    for (;;) {
      const id = this.#nextAccount.get(last)?.id;
      if (typeof id !== 'string') return;
      yield id;
      last = id;
    }
  }

  /** Those with a check in them. */
  *#hours(account: string, { since, until }: Range): Generator<Hour> {
    let from = since;
    for (;;) {
      const at = this.#nextCheck.get(account, from, until)?.at;
      if (typeof at !== 'string') return;
      const hour = hourOf(at);
      yield hour;
      from = nextHour(hour);
    }
  }

  #whole(account: string, hour: Hour): WrittenTally {
    // What is counted must be as many as there are; an hour whose checks were deleted is not stored any more.
    this.#database.exec('BEGIN');
    try {
      const checks = Number(this.#checksIn.get(account, hour, nextHour(hour))?.checks);
      const stored = this.#stored.get(account, hour);
      if (stored?.checks === checks) return JSON.parse(String(stored.tally));
      const tally = this.#count(account, { since: hour, until: nextHour(hour) });
      this.#fresh.push({ accountId: account, hour, checks, tally: JSON.stringify(tally) });
      return tally;
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  #count(account: string, { since, until }: Range): WrittenTally {
    const tally = new Tally();
    for (const row of this.#checks.iterate(account, since, until)) {
      // The columns are those of the table, which is strict: what comes back is what was written.
      this.#tallier.add(tally, row as unknown as CountedCheck);
    }
    return tally.write();
  }
}

function within({ since, until }: Range, hour: Hour): Range {
  const end = nextHour(hour);
  return { since: since > hour ? since : hour, until: until < end ? until : end };
}
