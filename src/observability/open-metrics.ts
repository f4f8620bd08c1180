import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client';
import { BUCKETS, type LabelsOf, METRICS, type MetricName } from './metric-table.ts';
import type { Exposition, Metrics, NameOf, Readings } from './metrics.ts';

type Labels = Readonly<Record<string, string>>;

/** Counts in this process, and shows the counts as OpenMetrics text, together with node's own metrics. */
export class OpenMetrics implements Metrics, Exposition {
  readonly #registry = new Registry<OpenMetricsContentType>();
  #readings: Readings = {};

  constructor(version: string) {
    this.#registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    for (const name of Object.keys(METRICS)) this.#register(name as MetricName);
    this.set('postern_build_info', { version }, 1);
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  expose(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Sets the metrics that are read at each exposition. */
  watch(readings: Readings): void {
    this.#readings = readings;
  }

  count<Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by = 1): void {
    (this.#registry.getSingleMetric(name) as Counter).inc(labels as Labels, by);
  }

  took<Name extends NameOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, ms: number): void {
    (this.#registry.getSingleMetric(name) as Histogram).observe(labels as Labels, ms / 1000);
  }

  set<Name extends NameOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void {
    (this.#registry.getSingleMetric(name) as Gauge).set(labels as Labels, value);
  }

  #register(name: MetricName): void {
    const { type, labels, help } = METRICS[name];
    const declaration = { name, help, labelNames: Object.keys(labels), registers: [this.#registry] };
    const read = () => this.#readings[name]?.();
    if (type === 'histogram') {
      new Histogram({ ...declaration, buckets: BUCKETS });
      return;
    }
    const Kind = type === 'gauge' ? Gauge : Counter;
    const metric = new Kind({
      ...declaration,
      collect() {
        const samples = read();
        if (samples) this.reset();
        for (const [labels, value] of samples ?? []) this.inc(labels, value);
      },
    });
    if (type === 'gauge') return;
    // A series that appears with its first event hides that event from `increase()`.
    for (const series of seriesOf(Object.entries(labels))) metric.inc(series, 0);
  }
}

/** Each combination of the labels' values; none where one of them is known at run time only. */
function seriesOf(labels: readonly (readonly [string, readonly string[] | null])[]): readonly Labels[] {
  return labels.reduce<readonly Labels[]>(
    (series, [label, values]) =>
      series.flatMap((one) => (values ?? []).map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}
