import { AppError } from '../../errors.ts';
import type { Range } from '../../insights/hours.ts';
import { DAY_MS, isoTime, readInstant } from '../../lib/time.ts';

const MINUTE_MS = 60_000;
/** A longer range is a mistake, and would take long to count. */
const LONGEST_DAYS = 400;

export const RANGE_QUERY = {
  since: {
    type: 'string',
    description:
      'The first instant: `2026-11-20` or `2026-11-20T08:00:00Z`. A day ago, where it is not named.',
  },
  until: {
    type: 'string',
    description: 'The first instant that is not in it any more. Up to now, where it is not named.',
  },
} as const;

type AskedRange = { readonly [End in keyof typeof RANGE_QUERY]?: string | undefined };

/**
 * The range that a query asks for; the last day where it names none. The default ends are whole minutes, so that requests within a
 * minute share one answer; `until` is rounded up, to include what is recorded now. Throws AppError `invalid_request`.
 */
export function readRange(asked: AskedRange, now: number): Range {
  const until = instantOf('until', asked.until) ?? isoTime(Math.ceil((now + 1) / MINUTE_MS) * MINUTE_MS);
  const since =
    instantOf('since', asked.since) ?? isoTime(Math.floor((now - DAY_MS) / MINUTE_MS) * MINUTE_MS);
  if (since >= until) throw refusal('since', 'must be before until');
  if (Date.parse(until) - Date.parse(since) > LONGEST_DAYS * DAY_MS) {
    throw refusal('since', `A time of at most ${LONGEST_DAYS} days can be looked at.`);
  }
  return { since, until };
}

/** The ends that a query names, in any order and at any distance. Throws AppError `invalid_request` for an end that cannot be read. */
export function readOpenRange({ since, until }: AskedRange): AskedRange {
  return { since: instantOf('since', since), until: instantOf('until', until) };
}

function instantOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const instant = readInstant(text);
  if (instant === null) throw refusal(name, 'is no day and no time with its offset from UTC');
  return instant;
}

function refusal(name: string, message: string): AppError {
  return new AppError('invalid_request', { details: [{ path: `query/${name}`, message }] });
}
