import Router from '@koa/router';
import type Koa from 'koa';
import { inject, injectable } from '../di.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { DISK_WAIT, LOGGER, METRICS } from '../tokens.ts';
import { createHall, mount } from './hall.ts';
import { MetricsRoute } from './ops/metrics.route.ts';
import type { DiskWait } from './server/disk-wait.ts';
import type { RequestState } from './state.ts';

/** What `metrics.port` serves: `/metrics`, and nothing else. */
@injectable()
export class MetricsApp {
  readonly koa: Koa<RequestState>;

  constructor(
    @inject(LOGGER) log: Logger,
    @inject(METRICS) metrics: Metrics,
    @inject(MetricsRoute) shown: MetricsRoute,
    @inject(DISK_WAIT) wait: DiskWait,
  ) {
    const router = new Router<RequestState>({ sensitive: true });
    mount(router, '/metrics', 'GET', shown.answer);
    this.koa = createHall(log, metrics, router, [], wait);
  }
}
