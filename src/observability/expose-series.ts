import { Counter, Gauge, type Histogram, type OpenMetricsContentType, Registry } from 'prom-client';
import { METRICS, type MetricName } from './metric-table.ts';
import { BUCKETS, type Distribution, Distributions, Tallies } from './tally.ts';

export type OpenMetricsRegistry = Registry<OpenMetricsContentType>;

export function createRegistry(): OpenMetricsRegistry {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

/** One series: the values of its labels, in the order of the table, and its value. */
export type Sample = readonly [labels: readonly string[], value: number];

/** Declares a counter to prom-client, which reads it whenever it is asked. */
export function exposeCounter(
  registry: OpenMetricsRegistry,
  name: MetricName,
  read: () => Iterable<Sample>,
): void {
  const { labels, help } = METRICS[name];
  new Counter<string>({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const [values, count] of read()) this.inc(named(labels, values), count);
    },
  });
}

export function exposeGauge(
  registry: OpenMetricsRegistry,
  name: MetricName,
  read: () => Iterable<Sample>,
): void {
  const { labels, help } = METRICS[name];
  new Gauge<string>({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const [values, value] of read()) this.set(named(labels, values), value);
    },
  });
}

/** A counter whose numbers are kept here. */
export function tally(registry: OpenMetricsRegistry, name: MetricName): Tallies {
  const tallies = new Tallies();
  exposeCounter(registry, name, () => tallies.series());
  return tallies;
}

/** A histogram whose numbers are kept here. prom-client's own can only observe one by one, so this stands in for it. */
export function distribute(registry: OpenMetricsRegistry, name: MetricName): Distributions {
  const distributions = new Distributions();
  const { labels, help, type } = METRICS[name];
  const values = () =>
    [...distributions.series].flatMap(([value, each]) =>
      histogramSamples(name, named(labels, [value]), each),
    );
  const metric = { name, help, type, get: async () => ({ name, help, type, values: values() }) };
  // All that a registry asks of a metric is its name and what `get` answers.
  registry.registerMetric(metric as unknown as Histogram);
  return distributions;
}

/** Buckets count what is below their bound, the lower buckets included; the last has none. */
function histogramSamples(
  name: string,
  labels: Record<string, string>,
  { counts, sumSeconds }: Distribution,
) {
  let below = 0;
  const buckets = counts.map((count, at) => {
    below += count;
    return {
      metricName: `${name}_bucket`,
      labels: { ...labels, le: String(BUCKETS[at] ?? '+Inf') },
      value: below,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: below },
  ];
}

function named(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}
