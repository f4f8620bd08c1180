import Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { CONFIG, type Config } from '../app/config/config.ts';
import { inject, injectable } from '../di.ts';
import { LOGGER, type Logger } from '../observability/logger.ts';
import { METRICS, type Metrics } from '../observability/metrics.ts';
import { createKoaApp, mount, showDescription } from './koa-app.ts';
import { MetricsRoute } from './ops/metrics.ts';
import { health, READINESS, type Readiness, ready } from './ops/readiness.ts';
import { BESIDE, type RequestState } from './request-state.ts';
import { loggedClient } from './server/proxies.ts';
import { CheckRoute } from './v1/check.route.ts';

/** The Koa apps that the ports serve. */
@injectable()
export class App {
  readonly koa: Koa<RequestState>;
  /** What `metrics.port` serves: `/metrics`, and nothing else. */
  readonly metrics: Koa<RequestState>;

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
    mount(router, '/v1', { POST: check.answer });
    mount(router, '/healthz', { GET: health });
    mount(router, '/readyz', { GET: ready(readiness, shown.token) });
    mount(router, '/openapi.json', { GET: showDescription('openapi.json') });
    if (token !== null && port === null) mount(router, '/metrics', { GET: shown.answer });
    const clientOf = loggedClient(config);
    this.koa = createKoaApp(log, metrics, router, beside, clientOf);

    const metricsRouter = new Router<RequestState>({ sensitive: true });
    mount(metricsRouter, '/metrics', { GET: shown.answer });
    this.metrics = createKoaApp(log, metrics, metricsRouter, [], clientOf);
  }
}
