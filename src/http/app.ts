import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { inject, injectable } from '../di.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../observability/logger.ts';
import { LOGGER, READINESS } from '../tokens.ts';
import { accessLog } from './middleware/access-log.ts';
import { errorBoundary } from './middleware/error-boundary.ts';
import { health, ready } from './ops/health.route.ts';
import type { Readiness } from './ops/readiness.ts';
import type { RequestState } from './state.ts';
import { CheckRoute } from './v1/check.route.ts';

/** The front hall: names, logs and bounds each request, then shows it to its door. Nothing of the domain. */
@injectable()
export class App {
  readonly koa: Koa<RequestState>;

  constructor(
    @inject(LOGGER) log: Logger,
    @inject(READINESS) readiness: Readiness,
    @inject(CheckRoute) check: CheckRoute,
  ) {
    const router = new Router<RequestState>({ sensitive: true });
    // "/v1" matches "/v1/" too; declared "/v1/" it would not match "/v1".
    mount(router, '/v1', 'POST', check.chain);
    mount(router, '/healthz', 'GET', [health]);
    mount(router, '/readyz', 'GET', [ready(readiness)]);

    this.koa = new Koa<RequestState>();
    this.koa.silent = true;
    this.koa.on('error', (err) => log.error({ err }, 'response failed'));
    this.koa.use(accessLog(log)).use(errorBoundary(log)).use(router.routes()).use(nothingHere);
  }
}

/** One path, one method; every other method, OPTIONS too, is 405. */
function mount(
  router: Router<RequestState>,
  path: string,
  method: 'GET' | 'POST',
  chain: readonly Middleware<RequestState>[],
): void {
  const named: Middleware<RequestState> = (ctx, next) => {
    ctx.state.route = path;
    return next();
  };
  const allow = method === 'GET' ? 'GET, HEAD' : method;
  const refuse: Middleware<RequestState> = () => {
    throw new AppError('method_not_allowed', { headers: { Allow: allow } });
  };
  router.register(path, method === 'GET' ? ['GET', 'HEAD'] : [method], [named, ...chain]);
  router.all(path, named, refuse);
}

const nothingHere: Middleware<RequestState> = () => {
  throw new AppError('not_found');
};
