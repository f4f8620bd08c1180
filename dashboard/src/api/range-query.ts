import { PRESETS, type Range } from '../format/ranges.ts';

const MINUTE_MS = 60_000;

/** Rounded down to a minute, so that all viewers share an answer. A range that ends now has no `until`. */
export function queryOf(range: Range, now: number): { since: string; until?: string } {
  if (!('preset' in range)) return { since: range.from, until: range.to };
  const since = Math.floor((now - PRESETS[range.preset]) / MINUTE_MS) * MINUTE_MS;
  return { since: new Date(since).toISOString() };
}
