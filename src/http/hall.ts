import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import compose from 'koa-compose';
import { AppError } from '../errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { accessLog } from './middleware/access-log.ts';
import { closeAfterLarge } from './middleware/close-after-large.ts';
import { errorBoundary } from './middleware/error-boundary.ts';
import { logResponseFailure } from './response-failure.ts';
import type { RequestState } from './state.ts';

/**
 * What every request goes through, whichever port it came to: a name, a line in the log, one form of refusal. What stands
 * beside the router is only asked for what the router does not know.
 */
export function createHall(
  log: Logger,
  metrics: Metrics,
  router: Router<RequestState>,
  beside: readonly Middleware<RequestState>[] = [],
): Koa<RequestState> {
  const koa = new Koa<RequestState>();
  koa.silent = true;
  koa.on('error', (err) => logResponseFailure(log, err));
  koa.use(closeAfterLarge).use(accessLog(log)).use(errorBoundary(log, metrics)).use(router.routes());
  for (const middleware of beside) koa.use(middleware);
  koa.use(nothingHere);
  return koa;
}

/**
 * One path, one method; every other method, OPTIONS too, is 405. One route for both, and its chain composed once: the
 * router composes whatever it finds again for each request.
 */
export function mount(
  router: Router<RequestState>,
  path: string,
  method: 'GET' | 'POST',
  chain: readonly Middleware<RequestState>[],
): void {
  mountMethods(router, path, new Map([[method, compose([...chain])]]));
}

/** The same with several methods. GET answers HEAD too. */
export function mountMethods(
  router: Router<RequestState>,
  path: string,
  methods: ReadonlyMap<string, Middleware<RequestState>>,
): void {
  const get = methods.get('GET');
  const taken = new Map(get ? [['GET', get], ['HEAD', get], ...methods] : methods);
  const headers = { Allow: [...taken.keys()].join(', ') };
  router.all(path, (ctx, next) => {
    ctx.state.route = path;
    const answer = taken.get(ctx.method);
    if (answer) return answer(ctx, next);
    throw new AppError('method_not_allowed', { headers });
  });
}

const nothingHere: Middleware<RequestState> = () => {
  throw new AppError('not_found');
};
