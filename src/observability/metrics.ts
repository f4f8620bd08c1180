import type { InjectionToken } from '../di.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { Logger } from './logger.ts';
import type { LabelsOf, METRICS as METRIC_TABLE, MetricName } from './metric-table.ts';

/** The metrics of one type. */
export type NameOf<Type extends string> = {
  [Name in MetricName]: (typeof METRIC_TABLE)[Name]['type'] extends Type ? Name : never;
}[MetricName];

/**
 * Told what happens, as it happens. Costs nanoseconds and never throws. No label takes an address, domain, key or account:
 * the page that shows them may be public. What tells of checks is told of live ones only, but for their number and refusals.
 */
export interface Metrics {
  count<Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** Of a histogram, whose unit is seconds. */
  took<Name extends NameOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, ms: number): void;
  set<Name extends NameOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
}

/** What parts of the service tell the time by, and tell with what happens. */
export interface Instruments {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export const METRICS: InjectionToken<Metrics> = Symbol('Metrics');

/** For commands, tests, and a service whose `/metrics` is closed. */
export const noMetrics: Metrics = { count: () => undefined, took: () => undefined, set: () => undefined };

/** One series: the values of its labels, and its value. */
export type Sample<Name extends MetricName> = readonly [labels: LabelsOf<Name>, value: number];

/** What is read at each exposition, and not told as it happens. */
export type Readings = { readonly [Name in MetricName]?: () => readonly Sample<Name>[] };

/** Everything that is counted, as one text. */
export interface Exposition {
  readonly contentType: string;
  expose(): Promise<string>;
}

/** What `/metrics` shows; null where it is closed. */
export const EXPOSITION: InjectionToken<Exposition | null> = Symbol('Exposition');
