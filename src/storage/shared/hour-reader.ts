import { firstUnsettled, type Hour, holds, nextHour, type Range } from '../../insights/hours.ts';
import type { OfAccount } from '../../insights/insights-queries.ts';
import {
  type CheckTallier,
  COUNTED_COLUMNS,
  type CountedCheck,
  Tally,
  type WrittenTally,
} from '../../insights/tally.ts';
import { compareTexts } from '../../lib/text.ts';
import type { CheckHour } from '../ports.ts';
import type { RecordsDatabase } from './records-database.ts';

/** The checks of an account in an hour, or in the part of the hour that was asked for. */
interface CountedHour extends Omit<CheckHour, 'tally'> {
  /** Null where the hour is over and not counted yet. */
  readonly tally: WrittenTally | null;
}

/** An hour in which there are checks. */
interface FoundHour {
  readonly hour: Hour;
  readonly checks: number;
  /** How many were counted and stored; null where none were. */
  readonly counted: number | null;
  /** The stored JSON; not read where the query only looks for hours. */
  readonly tally?: string | null;
}

/** Checks counted in one query, some 15 ms, during which rows deleted meanwhile stay in the write-ahead log. */
const PAGE = 1_000;
/** Hours of one query: some milliseconds, and some megabytes of tallies. */
const HOURS_AT_ONCE = 48;

/** Selects the checks of an account in a range of time. */
const OF_TIME = 'account_id = ? AND created_at >= ? AND created_at < ?';
const CHECKS_PAGE = `
  SELECT id, ${COUNTED_COLUMNS.join(', ')} FROM checks
  WHERE ${OF_TIME} AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ${PAGE}`;

/**
 * Steps from hour to hour by the index, so that hours without checks cost nothing. `~` sorts after every character that follows the
 * hour in an instant. Parameters: the account, both ends of the range, the account, the end of the range, and the account twice.
 */
const hoursPage = (columns: string) => `
  WITH RECURSIVE walk (step, hour) AS (
    SELECT 1, substr(min(created_at), 1, 13) FROM checks WHERE ${OF_TIME}
    UNION ALL
    SELECT step + 1, (
      SELECT substr(min(created_at), 1, 13) FROM checks
      WHERE account_id = ? AND created_at > walk.hour || '~' AND created_at < ?
    )
    FROM walk WHERE walk.hour IS NOT NULL AND step < ${HOURS_AT_ONCE}
  )
  SELECT walk.hour AS hour, kept.checks AS counted, ${columns} (
    SELECT count(*) FROM checks
    WHERE account_id = ? AND created_at > walk.hour AND created_at < walk.hour || '~'
  ) AS checks
  FROM walk LEFT JOIN check_hours kept ON kept.account_id = ? AND kept.hour = walk.hour
  WHERE walk.hour IS NOT NULL ORDER BY step`;
const HOURS = hoursPage('');
const HOURS_WITH_TALLIES = hoursPage('kept.tally,');

/** Reads the stored counts of hours. Hours that are not over and parts of hours are not stored: they are counted for each question. */
export function hourReader(database: RecordsDatabase, tallier: CheckTallier) {
  /** The account that is asked for, else every account with a check. */
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

  /** The hours of the range in which the account has checks. */
  async function* hoursOf(account: string, { since, until }: Range, sql: string): AsyncGenerator<FoundHour> {
    for (let from = since; ; ) {
      const values = [account, from, until, account, until, account, account];
      const hours = await database.all<FoundHour>(sql, ...values);
      yield* hours;
      const last = hours.at(-1)?.hour;
      if (last === undefined || hours.length < HOURS_AT_ONCE) return;
      from = nextHour(last);
    }
  }

  /** Counts page by page and yields between two pages. Checks added or deleted meanwhile may be counted or not. */
  async function* countChecks(account: string, { since, until }: Range) {
    const tally = new Tally();
    let checks = 0;
    for (let [at, id] = [since, '']; ; ) {
      const page = await database.all<CountedCheck & { readonly id: string }>(
        CHECKS_PAGE,
        account,
        at,
        until,
        at,
        id,
      );
      for (const check of page) tallier.add(tally, check);
      checks += page.length;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return { checks, tally: tally.write() };
      [at, id] = [last.created_at, last.id];
      yield undefined;
    }
  }

  return {
    /** Every hour of the range in which there are checks; also undefined, between two pages of an hour that is counted. */
    async *read(asked: OfAccount & Range, now: number): AsyncGenerator<CountedHour | undefined> {
      for await (const accountId of accountsOf(asked)) {
        for await (const { hour, checks, counted, tally } of hoursOf(accountId, asked, HOURS_WITH_TALLIES)) {
          if (holds(asked, hour) && hour < firstUnsettled(now)) {
            // Counts of another number of checks than there are now are outdated: as good as none.
            const stored = tally && counted === checks ? JSON.parse(tally) : null;
            yield { accountId, hour, checks, tally: stored };
          } else yield { accountId, hour, ...(yield* countChecks(accountId, within(asked, hour))) };
        }
      }
    },

    /**
     * Counts the hours of all accounts that are over and not stored, the newest first, for the caller to store. Also yields
     * undefined, so that a step takes some milliseconds at most. Holds no lock between two pages.
     */
    async *countEnded(now: number): AsyncGenerator<CheckHour | undefined> {
      const settled = { since: '', until: firstUnsettled(now) };
      const left: { readonly accountId: string; readonly hour: Hour }[] = [];
      let looked = 0;
      for await (const accountId of accountsOf({})) {
        for await (const { hour, checks, counted } of hoursOf(accountId, settled, HOURS)) {
          if (counted !== checks) left.push({ accountId, hour });
          looked += 1;
          if (looked % HOURS_AT_ONCE === 0) yield undefined;
        }
      }
      left.sort((a, b) => compareTexts(b.hour, a.hour));
      for (const { accountId, hour } of left) {
        // Where checks were added or deleted between two pages, `CheckHourStore.keep` finds another number of checks, and skips the hour.
        const { checks, tally } = yield* countChecks(accountId, { since: hour, until: nextHour(hour) });
        // The last check of the hour may have been deleted since the hour was found.
        if (checks > 0) yield { accountId, hour, checks, tally: JSON.stringify(tally) };
      }
    },
  };
}

function within({ since, until }: Range, hour: Hour): Range {
  const end = nextHour(hour);
  return { since: since > hour ? since : hour, until: until < end ? until : end };
}
