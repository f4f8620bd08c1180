import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Hour, holds, hourOf, isSettled, nextHour, type Range } from '../../insights/hours.ts';
import type { OfAccount } from '../../insights/insights-queries.ts';
import { type CheckTallier, type CountedCheck, Tally, type WrittenTally } from '../../insights/tally.ts';
import type { CheckHour } from '../ports.ts';

const COUNTED = `created_at, key_id, environment, action, risk_score, risk_level, unknown, ledger, timings, domain, duration_us`;
const OF_TIME = 'account_id = ? AND created_at >= ? AND created_at < ?';

/** What was counted of the checks of an account in an hour, or in the part of it that was asked for. */
export interface CountedHour {
  readonly accountId: string;
  readonly hour: Hour;
  readonly tally: WrittenTally;
  /** To be stored, so that it is not counted again; null where it is stored already, or is not whole. */
  readonly counted: CheckHour | null;
}

/** Reads what was counted of hours, and counts what was not: hours that are not over, parts of hours, and hours that were not asked for yet. */
export class HourReader {
  readonly #database: DatabaseSync;
  readonly #tallier: CheckTallier;
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
        if (holds(range, hour) && isSettled(hour, now)) yield this.#whole(account, hour);
        else {
          const tally = this.#count(account, within(range, hour));
          yield { accountId: account, hour, tally, counted: null };
        }
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

  #whole(accountId: string, hour: Hour): CountedHour {
    // What is counted must be as many as there are; an hour whose checks were deleted is not stored any more.
    this.#database.exec('BEGIN');
    try {
      const checks = Number(this.#checksIn.get(accountId, hour, nextHour(hour))?.checks);
      const stored = this.#stored.get(accountId, hour);
      if (stored?.checks === checks) {
        return { accountId, hour, tally: JSON.parse(String(stored.tally)), counted: null };
      }
      const tally = this.#count(accountId, { since: hour, until: nextHour(hour) });
      return { accountId, hour, tally, counted: { accountId, hour, checks, tally: JSON.stringify(tally) } };
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
