import type { InjectionToken } from '../di.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { Logger } from './logger.ts';
import type { LabelsOf, METRICS as METRIC_TABLE, MetricName } from './metric-table.ts';

/** The metrics of one type. */
export type NameOf<Type extends string> = {
  [Name in MetricName]: (typeof METRIC_TABLE)[Name]['type'] extends Type ? Name : never;
}[MetricName];

/**
 * Records events as they happen. Costs nanoseconds and never throws. No label takes an address, domain, key or account: the
 * page that shows them may be public. Metrics of checks count live checks only, except the number of checks and of refusals.
 */
export interface Metrics {
  count<Name extends NameOf<'counter'>>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** Adds `ms` to a histogram, whose unit is seconds. */
  took<Name extends NameOf<'histogram'>>(name: Name, labels: LabelsOf<Name>, ms: number): void;
  set<Name extends NameOf<'gauge'>>(name: Name, labels: LabelsOf<Name>, value: number): void;
}

/** The clock, the log and the metrics that the parts of the service use. */
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

/** Metrics that are read at each exposition, and not recorded as events happen. */
export type Readings = { readonly [Name in MetricName]?: () => readonly Sample<Name>[] };

/** Everything that is counted, as one text. */
export interface Exposition {
  readonly contentType: string;
  expose(): Promise<string>;
}

/** The source of `/metrics`; null where it is closed. */
export const EXPOSITION: InjectionToken<Exposition | null> = Symbol('Exposition');
