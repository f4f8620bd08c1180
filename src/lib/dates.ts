/** Whether there is such a day, of a text like `2026-11-01`. JavaScript reads 30 February as 2 March. */
export function isCalendarDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

let last = { ms: 0, text: new Date(0).toISOString() };

/** ISO 8601, UTC, milliseconds. A check writes its one instant in several places: the last text is kept. */
export function isoTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
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
