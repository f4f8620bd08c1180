import Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { CONFIG, type Config } from '../app/config/config.ts';
import { inject, injectable } from '../di.ts';
import { LOGGER, type Logger } from '../observability/logger.ts';
import { METRICS, type Metrics } from '../observability/metrics.ts';
import { createHall, mount } from './hall.ts';
import { showOpenApi } from './openapi/openapi.route.ts';
import { health, ready } from './ops/health.route.ts';
import { MetricsRoute } from './ops/metrics.route.ts';
import { READINESS, type Readiness } from './ops/readiness.ts';
import { BESIDE, type RequestState } from './state.ts';
import { CheckRoute } from './v1/check.route.ts';

/** The front hall: names, logs and bounds each request, then shows it to its door. Nothing of the domain. */
@injectable()
export class App {
  readonly koa: Koa<RequestState>;

  constructor(
    @inject(CONFIG) config: Config,
    @inject(LOGGER) log: Logger,
    @inject(METRICS) metrics: Metrics,
    @inject(READINESS) readiness: Readiness,
    @inject(CheckRoute) check: CheckRoute,
    @inject(MetricsRoute) shown: MetricsRoute,
    @inject(BESIDE) beside: readonly Middleware<RequestState>[],
  ) {
    const { port, token } = config.metrics;
    const router = new Router<RequestState>({ sensitive: true });
    // "/v1" matches "/v1/" too; declared "/v1/" it would not match "/v1".
    mount(router, '/v1', 'POST', check.answer);
    mount(router, '/healthz', 'GET', health);
    mount(router, '/readyz', 'GET', ready(readiness, shown.token));
    mount(router, '/openapi.json', 'GET', showOpenApi());
    if (token !== null && port === null) mount(router, '/metrics', 'GET', shown.answer);
    this.koa = createHall(log, metrics, router, beside);
  }
}
