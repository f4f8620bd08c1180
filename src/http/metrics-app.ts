import Router from '@koa/router';
import type Koa from 'koa';
import { inject, injectable } from '../di.ts';
import { LOGGER, type Logger } from '../observability/logger.ts';
import { METRICS, type Metrics } from '../observability/metrics.ts';
import { createHall, mount } from './hall.ts';
import { MetricsRoute } from './ops/metrics.route.ts';
import type { RequestState } from './state.ts';

/** What `metrics.port` serves: `/metrics`, and nothing else. */
@injectable()
export class MetricsApp {
  readonly koa: Koa<RequestState>;

  constructor(
    @inject(LOGGER) log: Logger,
    @inject(METRICS) metrics: Metrics,
    @inject(MetricsRoute) shown: MetricsRoute,
  ) {
    const router = new Router<RequestState>({ sensitive: true });
    mount(router, '/metrics', 'GET', shown.answer);
    this.koa = createHall(log, metrics, router);
  }
}
