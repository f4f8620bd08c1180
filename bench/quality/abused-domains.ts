import type { MeasuringData } from './measuring-data.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Abused domains; `days` is the time from a domain's last sighting to the latest sighting of all. */
export function abusedDomains(
  data: MeasuringData,
): readonly { readonly domain: string; readonly days: number }[] {
  const seen = data
    .rows('abused-domains.tsv')
    .map(([domain = '', , last = '']) => ({ domain, at: Date.parse(last) }));
  const end = Math.max(...seen.map(({ at }) => at));
  return seen.map(({ domain, at }) => ({ domain, days: Math.round((end - at) / DAY_MS) }));
}
