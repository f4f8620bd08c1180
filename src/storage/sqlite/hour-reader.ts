import type { DatabaseSync } from 'node:sqlite';
import {
  firstUnsettled,
  type Hour,
  holds,
  hourOf,
  isSettled,
  nextHour,
  type Range,
} from '../../insights/hours.ts';
import type { OfAccount } from '../../insights/insights-queries.ts';
import {
  type CheckTallier,
  COUNTED_COLUMNS,
  type CountedCheck,
  Tally,
  type WrittenTally,
} from '../../insights/tally.ts';
import type { CheckHour } from '../ports.ts';

/** Of an account, in a time. */
const OF_TIME = 'account_id = ? AND created_at >= ? AND created_at < ?';

/** What is known of the checks of an account in an hour, or in the part of it that was asked for. */
export interface CountedHour {
  readonly accountId: string;
  readonly hour: Hour;
  /** How many there are. */
  readonly checks: number;
  /** Null where the hour is over and not counted yet. */
  readonly tally: WrittenTally | null;
}

export type HourReader = ReturnType<typeof hourReader>;

/** Checks of an hour that are counted in one go, some 15 ms: until then what was deleted meanwhile stays in the log. */
const PAGE = 1_000;

/** Reads what was counted of hours. What is not stored, hours that are not over and parts of hours, is counted for each question. */
export function hourReader(database: DatabaseSync, tallier: CheckTallier) {
  const nextAccount = database.prepare('SELECT min(account_id) AS id FROM checks WHERE account_id > ?');
  const nextCheck = database.prepare(`SELECT min(created_at) AS at FROM checks WHERE ${OF_TIME}`);
  const lastCheck = database.prepare(
    'SELECT max(created_at) AS at FROM checks WHERE account_id = ? AND created_at < ?',
  );
  const checksIn = database.prepare(`SELECT count(*) AS checks FROM checks WHERE ${OF_TIME}`);
  const kept = database.prepare('SELECT checks, tally FROM check_hours WHERE account_id = ? AND hour = ?');
  const checksOfTime = database.prepare(`SELECT ${COUNTED_COLUMNS.join(', ')} FROM checks WHERE ${OF_TIME}`);
  const page = database.prepare(
    `SELECT id, ${COUNTED_COLUMNS.join(', ')} FROM checks
     WHERE ${OF_TIME} AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ${PAGE}`,
  );

  /** The one that is asked for, else each with a check. */
  function* accountsOf({ accountId }: OfAccount): Generator<string> {
    if (accountId !== undefined) return yield accountId;
    let last = '';
    for (;;) {
      const id = nextAccount.get(last)?.id;
      if (typeof id !== 'string') return;
      yield id;
      last = id;
    }
  }

  /** Those with a check in them. */
  function* hoursOf(account: string, { since, until }: Range): Generator<Hour> {
    let from = since;
    for (;;) {
      const at = nextCheck.get(account, from, until)?.at;
      if (typeof at !== 'string') return;
      const hour = hourOf(at);
      yield hour;
      from = nextHour(hour);
    }
  }

  function countOf(account: string, { since, until }: Range): number {
    return Number(checksIn.get(account, since, until)?.checks);
  }

  /** Null where it was not counted, or other checks were than there are now. */
  function stored(accountId: string, hour: Hour, checks: number): WrittenTally | null {
    const counted = kept.get(accountId, hour);
    return counted?.checks === checks ? JSON.parse(String(counted.tally)) : null;
  }

  function countPart(account: string, { since, until }: Range) {
    const tally = new Tally();
    let checks = 0;
    for (const row of checksOfTime.iterate(account, since, until)) {
      // The columns are those of the table, which is strict: what comes back is what was written.
      tallier.add(tally, row as unknown as CountedCheck);
      checks += 1;
    }
    return { checks, tally: tally.write() };
  }

  /** Checks that come and go between two pages change how many there are: then what was counted is not stored. */
  function* countHour(accountId: string, hour: Hour): Generator<undefined, CheckHour> {
    const tally = new Tally();
    let checks = 0;
    let [at, id] = [hour, ''];
    for (;;) {
      // As above.
      const rows = page.all(accountId, at, nextHour(hour), at, id) as unknown as (CountedCheck & {
        readonly id: string;
      })[];
      for (const row of rows) tallier.add(tally, row);
      checks += rows.length;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) {
        return { accountId, hour, checks, tally: JSON.stringify(tally.write()) };
      }
      [at, id] = [last.created_at, last.id];
      yield;
    }
  }

  return {
    /** Every hour of the range in which there are checks. */
    *read(asked: OfAccount & Range, now: number): Generator<CountedHour> {
      for (const accountId of accountsOf(asked)) {
        for (const hour of hoursOf(accountId, asked)) {
          if (holds(asked, hour) && isSettled(hour, now)) {
            const checks = countOf(accountId, { since: hour, until: nextHour(hour) });
            yield { accountId, hour, checks, tally: stored(accountId, hour, checks) };
          } else yield { accountId, hour, ...countPart(accountId, within(asked, hour)) };
        }
      }
    },

    /**
     * Counts the hours that are over and not stored, of all accounts, the newest first: each is to be stored. Yields undefined in
     * between, after some milliseconds at most. Nothing is locked between two pages.
     */
    *countEnded(now: number): Generator<CheckHour | undefined> {
      /** By account: its newest check that was not looked at. */
      const ahead = new Map<string, string>();
      const goOn = (accountId: string, before: string) => {
        const at = lastCheck.get(accountId, before)?.at;
        if (typeof at === 'string') ahead.set(accountId, at);
        else ahead.delete(accountId);
      };
      for (const accountId of accountsOf({})) goOn(accountId, firstUnsettled(now));
      while (ahead.size > 0) {
        const newest = hourOf([...ahead.values()].reduce((a, b) => (a > b ? a : b)));
        for (const [accountId, at] of ahead) {
          if (hourOf(at) !== newest) continue;
          const checks = countOf(accountId, { since: newest, until: nextHour(newest) });
          const isStored = kept.get(accountId, newest)?.checks === checks;
          yield isStored ? undefined : yield* countHour(accountId, newest);
          goOn(accountId, newest);
        }
      }
    },
  };
}

function within({ since, until }: Range, hour: Hour): Range {
  const end = nextHour(hour);
  return { since: since > hour ? since : hour, until: until < end ? until : end };
}
