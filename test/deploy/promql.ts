import { METRICS, type MetricName } from '../../src/observability/metric-table.ts';
import { OpenMetrics } from '../../src/observability/open-metrics.ts';
import { parseExposition } from '../observability/exposition.ts';

/** What Prometheus makes itself of every scrape. */
const OF_PROMETHEUS = { up: ['job', 'instance'] };
/** What Prometheus adds to every series of a scrape, and what a histogram's buckets have. */
const ADDED = ['job', 'instance'];

/** The names of all series that a service exposes, as they are queried, each with its labels. */
export async function queriedSeries(): Promise<ReadonlyMap<string, readonly string[]>> {
  const series = new Map<string, readonly string[]>(Object.entries(OF_PROMETHEUS));
  for (const name of Object.keys(METRICS) as MetricName[]) {
    const { type, labels } = METRICS[name];
    const own = [...Object.keys(labels), ...ADDED];
    if (type !== 'histogram') series.set(name, own);
    else {
      series.set(`${name}_bucket`, [...own, 'le']);
      for (const suffix of ['_sum', '_count']) series.set(name + suffix, own);
    }
  }
  const families = parseExposition(await new OpenMetrics('1.2.3').expose());
  for (const { samples } of families.values()) {
    for (const id of samples.keys()) {
      const [name = ''] = id.split('{');
      if (name.startsWith('postern_')) continue;
      series.set(name, [...[...id.matchAll(/(\w+)="/g)].map(([, label = '']) => label), ...ADDED]);
    }
  }
  return series;
}

/** What an expression says that cannot be: a metric that is not exposed, a label or a value that it does not have. */
export function faultsOf(expression: string, series: ReadonlyMap<string, readonly string[]>): string[] {
  const faults: string[] = [];
  const bare = expression.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const names = [...bare.matchAll(/\b(?:postern|process|nodejs)_\w+\b|\bup\b/g)].map(([name]) => name);
  for (const name of names) if (!series.has(name)) faults.push(`no metric ${name}`);
  for (const [, name = '', matchers = ''] of expression.matchAll(/\b(\w+)\{([^}]*)\}/g)) {
    for (const [, label = '', operator = '', values = ''] of matchers.matchAll(
      /(\w+)(=~|!~|!=|=)"([^"]*)"/g,
    )) {
      if (!series.get(name)?.includes(label)) faults.push(`no label ${label} of ${name}`);
      const known = valuesOf(name, label);
      if (known === null || values.startsWith('$')) continue;
      const unknown = (operator.endsWith('~') ? values.split('|') : [values]).filter(
        (value) => !known.includes(value),
      );
      for (const value of unknown) faults.push(`${name} has no ${label}="${value}"`);
    }
  }
  const labels = names.flatMap((name) => series.get(name) ?? []);
  for (const [, list = ''] of bare.matchAll(/\b(?:by|without) ?\(([^)]*)\)/g)) {
    for (const label of list.split(',').map((one) => one.trim())) {
      if (!labels.includes(label)) faults.push(`no label ${label} in ${expression}`);
    }
  }
  return faults;
}

/** The values that a label can have; null where any. */
function valuesOf(name: string, label: string): readonly string[] | null {
  const labels: Readonly<Record<string, readonly string[] | null>> =
    METRICS[name.replace(/_(bucket|sum|count)$/, '') as MetricName]?.labels ?? {};
  return labels[label] ?? null;
}
