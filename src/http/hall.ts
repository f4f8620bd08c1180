import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { AppError } from '../errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { lineOf, nameRequest } from './middleware/access-log.ts';
import { answerFailure } from './middleware/answer-failure.ts';
import { closeAfterLarge } from './middleware/close-after-large.ts';
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
  koa.use(throughHall(log, metrics)).use(router.routes());
  for (const middleware of beside) koa.use(middleware);
  koa.use(nothingHere);
  return koa;
}

/** One function and not a chain of them: each that waits for the next costs every request a turn of the microtask queue. */
function throughHall(log: Logger, metrics: Metrics): Middleware<RequestState> {
  return async (ctx, next) => {
    const started = performance.now();
    nameRequest(ctx);
    try {
      await next();
    } catch (thrown) {
      answerFailure(ctx, thrown, log, metrics);
    }
    closeAfterLarge(ctx);
    log.info(lineOf(ctx, started), 'request');
  };
}

/** One path, one method; every other method, OPTIONS too, is 405. */
export function mount(
  router: Router<RequestState>,
  path: string,
  method: 'GET' | 'POST',
  answer: Middleware<RequestState>,
): void {
  mountMethods(router, path, new Map([[method, answer]]));
}

/** The same with several methods, and one route for all of them. GET answers HEAD too. */
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
