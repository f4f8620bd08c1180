import { PRESETS, type Range } from '../format/ranges.ts';

const MINUTE_MS = 60_000;

/** Rounded to a minute, so that all who look on share an answer; a span that ends now has no end, and reaches up to it. */
export function queryOf(range: Range, now: number): { since: string; until?: string } {
  if (!('preset' in range)) return { since: range.from, until: range.to };
  const since = Math.floor((now - PRESETS[range.preset]) / MINUTE_MS) * MINUTE_MS;
  return { since: new Date(since).toISOString() };
}
