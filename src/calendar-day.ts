/** Whether there is such a day, of a text like `2026-11-01`. JavaScript reads 30 February as 2 March. */
export function isCalendarDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
