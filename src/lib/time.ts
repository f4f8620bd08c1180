import type { InjectionToken } from '../di.ts';
import type { Clock } from '../provider-kit/index.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const systemClock: Clock = { now: () => Date.now() };

/** Never set back or ahead: for windows and waits within the process. Begins anywhere. */
export const monotonicClock: Clock = { now: () => performance.now() };

/** The wall clock. */
export const CLOCK: InjectionToken<Clock> = Symbol('Clock');

/** Whether there is such a day, of a text like `2026-11-01`. JavaScript reads 30 February as 2 March. */
function isCalendarDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** ISO 8601, UTC, milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

const FORM = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * `2026-11-01`, which is its first moment in UTC, or a time of day with its offset, in ISO 8601; with milliseconds and in
 * UTC. Null for any other text: a time without an offset is another one elsewhere.
 */
export function readInstant(text: string): string | null {
  const instant = new Date(FORM.test(text) ? text : Number.NaN);
  // A day that does not exist, such as 30 February, would become another.
  return Number.isNaN(instant.getTime()) || !isCalendarDay(text.slice(0, 10)) ? null : instant.toISOString();
}
