import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Metric } from './figures.ts';

/** What a report counts in one top-level domain. */
export interface Count {
  readonly abused: number;
  /** All its domains: registered ones, or those that were seen (badness). */
  readonly of: number;
}

export interface Report {
  readonly source: string;
  readonly url: string;
  /** The last day that the report counts, `YYYY-MM-DD`. */
  readonly date: string;
  readonly metric: Metric;
  readonly counts: Readonly<Record<string, Count>>;
}

/** The counts as published, for the script that computes abuse.yaml from them. */
export function loadReports(): readonly Report[] {
  return parse(readFileSync(new URL('./data/reports.yaml', import.meta.url), 'utf8'));
}

/**
 * The abused domains among 10,000 registered ones; or Spamhaus' badness, the share of bad domains times the logarithm
 * of their number: a small top-level domain harms few. To one decimal, as the reports have it.
 */
export function rateOf(metric: Metric, { abused, of }: Count): number {
  const rate = metric === 'badness' ? (abused / of) * Math.log(abused) : (abused / of) * 10_000;
  return Math.round(rate * 10) / 10;
}

/** The whole text of abuse.yaml. */
export function writeFigures(reports: readonly Report[]): string {
  const newest = reports
    .map(({ date }) => date)
    .sort()
    .at(-1);
  const parts = reports.map(({ source, url, date, metric, counts }) => {
    const values = Object.entries(counts)
      .map(([tld, count]) => ({ tld, value: rateOf(metric, count) }))
      .sort((a, b) => b.value - a.value)
      .map(({ tld, value }) => `    ${tld}: ${value}\n`);
    return `- source: ${source}\n  url: ${url}\n  date: "${date}"\n  metric: ${metric}\n  values:\n${values.join('')}`;
  });
  return `# Published figures about the abuse of top-level domains, by report. Made by scripts/tld-abuse.ts of reports.yaml: do
# not edit. The newest is of ${newest}. Abuse moves on: drop a report that is over three years old.

${parts.join('\n')}`;
}
