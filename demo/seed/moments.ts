const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A time of day, UTC, so many days before the demo ends. In ms since the epoch. */
export function momentOf(until: number, daysBefore: number, hours: number, minutes = 0): number {
  const midnight = Math.floor((until - daysBefore * DAY_MS) / DAY_MS) * DAY_MS;
  return midnight + (hours * 60 + minutes) * MINUTE_MS;
}

export function isoOf(at: number): string {
  return new Date(at).toISOString();
}

/** The span in which the name servers are out of reach. */
export function outageOf(until: number): { readonly from: number; readonly until: number } {
  return { from: momentOf(until, 9, 13, 10), until: momentOf(until, 9, 15, 40) };
}
