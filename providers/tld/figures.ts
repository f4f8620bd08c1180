import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export const METRICS = ['phishing_per_10k', 'spam_per_10k', 'badness'] as const;
export type Metric = (typeof METRICS)[number];

/** One published figure about a top-level domain. */
export interface Figure {
  readonly metric: Metric;
  readonly value: number;
  readonly source: string;
  /** The last day that the figure counts, `YYYY-MM-DD`. */
  readonly date: string;
}

type Part = Omit<Figure, 'value'> & { readonly values: Readonly<Record<string, number>> };

/** Figures by top-level domain, and the newest date among them. */
export function loadFigures(): { figures: ReadonlyMap<string, readonly Figure[]>; newest: string } {
  const reports: readonly Part[] = parse(readFileSync(new URL('./data/abuse.yaml', import.meta.url), 'utf8'));
  const figures = new Map<string, Figure[]>();
  for (const { metric, source, date, values } of reports) {
    for (const [tld, value] of Object.entries(values)) {
      figures.set(tld, [...(figures.get(tld) ?? []), { metric, value, source, date }]);
    }
  }
  const dates = reports.map(({ date }) => date).sort();
  return { figures, newest: dates.at(-1) ?? 'none' };
}
