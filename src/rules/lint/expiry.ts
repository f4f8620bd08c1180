import { isCalendarDay } from '../../lib/dates.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** RFC 3339; the zone must be written, or the moment would depend on the machine. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 86_400_000;

/**
 * The moment from which something is expired, in ms since the epoch. A date holds to the end of that day in
 * UTC, as a person reads it; undefined when the text is neither a date nor a moment.
 */
export function readExpiry(text: string): number | undefined {
  const date = DATE.test(text) ? text : INSTANT.exec(text)?.[1];
  if (date === undefined || !isCalendarDay(date)) return undefined;
  if (date === text) return Date.parse(date) + DAY_MS;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}

/** Year first, digits or zeros left out, other separators, a blank for the T. */
const LOOSE = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)Z?)?$/;

/** The date or moment that was probably meant; without a zone UTC, as everywhere here. Day first could be month first. */
export function meantDate(text: string): string | undefined {
  const [, year, month = '', day = '', time] = LOOSE.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const meant = time === undefined ? date : `${date}T${time}Z`;
  return readExpiry(meant) === undefined ? undefined : meant;
}
