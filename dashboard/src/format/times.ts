const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: readonly (readonly [name: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
];
/** Always "in 1 day", never "tomorrow": an instant in 47 hours counts as 1 day, and is not tomorrow. */
const RELATIVE = new Intl.RelativeTimeFormat('en');

/** "just now", "5 minutes ago", "in 3 days". */
export function formatRelative(at: string | number | Date, now: number): string {
  const difference = new Date(at).getTime() - now;
  const unit = UNITS.find(([, ms]) => Math.abs(difference) >= ms);
  if (unit === undefined) return difference > 0 ? 'in a moment' : 'just now';
  return RELATIVE.format(Math.trunc(difference / unit[1]), unit[0]);
}

/** "21 Nov 2026, 22:50:03 UTC": what logs and records say, whatever the time zone of the reader. */
export function formatInstant(at: string | number | Date): string {
  const iso = new Date(at).toISOString();
  return `${formatDay(at)}, ${iso.slice(11, 19)} UTC`;
}

const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "21 Nov 2026", in UTC as months of the quota are. */
export function formatDay(at: string | number | Date): string {
  return DAY_FORMAT.format(new Date(at));
}

/** A tick on an axis of time. Up to 3 days: the hour, or the day at 00:00. Beyond: the day. */
export function formatTick(at: Date, spanMs: number): string {
  const day = TICK_DAY.format(at);
  if (spanMs > 3 * DAY) return day;
  const hour = at.toISOString().slice(11, 16);
  return hour === '00:00' ? day : hour;
}

const TICK_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
