import { firstUnsettled, type Hour, holds, isSettled, nextHour, type Range } from '../../insights/hours.ts';
import type { OfAccount } from '../../insights/insights-queries.ts';
import {
  type CheckTallier,
  COUNTED_COLUMNS,
  type CountedCheck,
  Tally,
  type WrittenTally,
} from '../../insights/tally.ts';
import type { CheckHour } from '../ports.ts';
import type { RecordsDatabase } from './records-database.ts';

/** What is known of the checks of an account in an hour, or in the part of it that was asked for. */
export interface CountedHour extends Omit<CheckHour, 'tally'> {
  /** Null where the hour is over and not counted yet. */
  readonly tally: WrittenTally | null;
}

export type HourReader = ReturnType<typeof hourReader>;

/** Of an hour in which there are checks. */
interface FoundHour {
  readonly hour: Hour;
  readonly checks: number;
  /** How many were counted and stored; null where none were. */
  readonly counted: number | null;
  /** As it is stored; where hours are looked for from the newest on, it is not read. */
  readonly tally?: string | null;
}

/** Checks of an hour that are counted in one go, some 15 ms: until then what was deleted meanwhile stays in the log. */
const PAGE = 1_000;
/** Some milliseconds, and some megabytes of tallies. */
const HOURS_AT_ONCE = 48;

/** Of an account, in a time. */
const OF_TIME = 'account_id = ? AND created_at >= ? AND created_at < ?';
const CHECKS_PAGE = `
  SELECT id, ${COUNTED_COLUMNS.join(', ')} FROM checks
  WHERE ${OF_TIME} AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ${PAGE}`;

/**
 * From hour to hour by the index, so that hours without checks cost nothing. `~` comes after all that an instant has behind its
 * hour. Takes the account, both ends of the time, the account, that end which the walk goes to, and the account twice.
 */
const hoursPage = (first: string, next: string, columns: string) => `
  WITH RECURSIVE walk (step, hour) AS (
    SELECT 1, substr(${first}(created_at), 1, 13) FROM checks WHERE ${OF_TIME}
    UNION ALL
    SELECT step + 1, (SELECT substr(${first}(created_at), 1, 13) FROM checks WHERE account_id = ? AND ${next})
    FROM walk WHERE walk.hour IS NOT NULL AND step < ${HOURS_AT_ONCE}
  )
  SELECT walk.hour AS hour, kept.checks AS counted, ${columns} (
    SELECT count(*) FROM checks
    WHERE account_id = ? AND created_at > walk.hour AND created_at < walk.hour || '~'
  ) AS checks
  FROM walk LEFT JOIN check_hours kept ON kept.account_id = ? AND kept.hour = walk.hour
  WHERE walk.hour IS NOT NULL ORDER BY step`;
const OLDEST_FIRST = hoursPage('min', "created_at > walk.hour || '~' AND created_at < ?", 'kept.tally,');
const NEWEST_FIRST = hoursPage('max', 'created_at >= ? AND created_at < walk.hour', '');

/** Reads what was counted of hours. What is not stored, hours that are not over and parts of hours, is counted for each question. */
export function hourReader(database: RecordsDatabase, tallier: CheckTallier) {
  /** The one that is asked for, else each with a check. */
  async function* accountsOf({ accountId }: OfAccount): AsyncGenerator<string> {
    if (accountId !== undefined) return yield accountId;
    for (let last = ''; ; ) {
      const [next] = await database.all<{ readonly id: string | null }>(
        'SELECT min(account_id) AS id FROM checks WHERE account_id > ?',
        last,
      );
      if (!next?.id) return;
      yield next.id;
      last = next.id;
    }
  }

  /** Those with a check in them. */
  async function* hoursOf(account: string, { since, until }: Range, sql: string): AsyncGenerator<FoundHour> {
    const isForwards = sql === OLDEST_FIRST;
    for (let [from, to] = [since, until]; ; ) {
      const end = isForwards ? to : from;
      const hours = await database.all<FoundHour>(sql, account, from, to, account, end, account, account);
      yield* hours;
      const last = hours.at(-1)?.hour;
      if (last === undefined || hours.length < HOURS_AT_ONCE) return;
      if (isForwards) from = nextHour(last);
      else to = last;
    }
  }

  /** Page by page, and yields in between: checks that come and go meanwhile are counted or not. */
  async function* countChecks(account: string, { since, until }: Range) {
    const tally = new Tally();
    let checks = 0;
    for (let [at, id] = [since, '']; ; ) {
      const page = await database.all<CountedCheck & { readonly id: string }>(
        CHECKS_PAGE,
        ...[account, at, until, at, id],
      );
      for (const check of page) tallier.add(tally, check);
      checks += page.length;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return { checks, tally: tally.write() };
      [at, id] = [last.created_at, last.id];
      yield undefined;
    }
  }

  async function countPart(account: string, range: Range) {
    const counting = countChecks(account, range);
    for (;;) {
      const { done, value } = await counting.next();
      if (done) return value;
    }
  }

  /** Where checks came or went between two pages, the storage finds that there are not so many, and does not keep it. */
  async function* countHour(accountId: string, hour: Hour): AsyncGenerator<undefined, CheckHour> {
    const { checks, tally } = yield* countChecks(accountId, { since: hour, until: nextHour(hour) });
    return { accountId, hour, checks, tally: JSON.stringify(tally) };
  }

  return {
    /** Every hour of the range in which there are checks. */
    async *read(asked: OfAccount & Range, now: number): AsyncGenerator<CountedHour> {
      for await (const accountId of accountsOf(asked)) {
        for await (const { hour, checks, counted, tally } of hoursOf(accountId, asked, OLDEST_FIRST)) {
          if (holds(asked, hour) && isSettled(hour, now)) {
            // Where other checks were counted than there are now, it is as if none had been.
            const stored = tally && counted === checks ? JSON.parse(tally) : null;
            yield { accountId, hour, checks, tally: stored };
          } else yield { accountId, hour, ...(await countPart(accountId, within(asked, hour))) };
        }
      }
    },

    /**
     * Counts the hours that are over and not stored, of all accounts, the newest first: each is to be stored. Yields undefined in
     * between, after some milliseconds at most. Nothing is locked between two pages.
     */
    async *countEnded(now: number): AsyncGenerator<CheckHour | undefined> {
      /** By account: the hours that are not looked at, and the first of them. */
      const ahead = new Map<
        string,
        { readonly hours: AsyncGenerator<FoundHour>; readonly next: FoundHour }
      >();
      const goOn = async (accountId: string, hours: AsyncGenerator<FoundHour>) => {
        const { done, value } = await hours.next();
        if (done) ahead.delete(accountId);
        else ahead.set(accountId, { hours, next: value });
      };
      const settled = { since: '', until: firstUnsettled(now) };
      for await (const accountId of accountsOf({})) {
        await goOn(accountId, hoursOf(accountId, settled, NEWEST_FIRST));
      }
      while (ahead.size > 0) {
        const newest = [...ahead.values()].map(({ next }) => next.hour).reduce((a, b) => (a > b ? a : b));
        for (const [accountId, { hours, next }] of ahead) {
          if (next.hour !== newest) continue;
          const made = next.counted === next.checks ? undefined : yield* countHour(accountId, newest);
          // Its last check may have gone since it was found.
          yield made?.checks === 0 ? undefined : made;
          await goOn(accountId, hours);
        }
      }
    },
  };
}

function within({ since, until }: Range, hour: Hour): Range {
  const end = nextHour(hour);
  return { since: since > hour ? since : hour, until: until < end ? until : end };
}
