import { getDefaultHighWaterMark } from 'node:stream';
import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { AppError } from '../errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { answerFailure } from './middleware/answer-failure.ts';
import { lineOf, nameRequest, type RequestContext, type RequestState } from './request-state.ts';

/** What a socket takes at once, less the most that headers may come to. */
const LARGE_BYTES = getDefaultHighWaterMark(false) - 16_384;

/**
 * Lets no request follow a large answer on its connection. Node 24 pauses its parser at a request that comes while the answer
 * before it is still being written, and its TLS goes on feeding the parser what came with that request: a body of more than
 * one TLS record then fails as `HPE_PAUSED`, which the client would be told as 400, though it sent nothing wrong.
 * What a client has sent behind its request before it saw the answer is not answered.
 */
function closeAfterLarge(ctx: RequestContext): void {
  if (isLarge(ctx.body)) ctx.res.shouldKeepAlive = false;
}

function isLarge(body: unknown): boolean {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.byteLength(body) >= LARGE_BYTES;
  // A stream has no size.
  return body !== undefined && body !== null;
}

/**
 * What the system says of a connection that its other end has closed or cut, and Node of a stream that was being sent over it.
 * A stream that breaks by a fault of ours comes with that fault instead.
 */
const CLIENT_LEFT = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Logs why an answer did not get through: a client that leaves is no fault of ours, anything else is a bug. */
export function logResponseFailure(log: Logger, err: NodeJS.ErrnoException): void {
  if (CLIENT_LEFT.has(err.code ?? ''))
    log.info({ reason: err.code }, 'the client left before its answer was through');
  else log.error({ err }, 'response failed');
}

/**
 * A Koa app in which every request, whichever port it came to, gets an id, a line in the log and one form of refusal.
 * `beside` is asked only for what the router does not know.
 */
export function createKoaApp(
  log: Logger,
  metrics: Metrics,
  router: Router<RequestState>,
  beside: readonly Middleware<RequestState>[] = [],
): Koa<RequestState> {
  const koa = new Koa<RequestState>();
  koa.silent = true;
  koa.on('error', (err) => logResponseFailure(log, err));
  koa.use(requestBoundary(log, metrics)).use(router.routes());
  for (const middleware of beside) koa.use(middleware);
  koa.use(nothingHere);
  return koa;
}

/** Request id, error boundary and access log in one function: each further middleware costs every request a microtask. */
function requestBoundary(log: Logger, metrics: Metrics): Middleware<RequestState> {
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

/** One path with its methods; every other method, OPTIONS too, is 405. GET answers HEAD too. */
export function mount(
  router: Router<RequestState>,
  path: string,
  { GET, ...others }: Readonly<Record<string, Middleware<RequestState>>>,
): void {
  const methods = new Map(Object.entries(GET ? { GET, HEAD: GET, ...others } : others));
  const headers = { Allow: [...methods.keys()].join(', ') };
  router.all(path, (ctx, next) => {
    ctx.state.route = path;
    const answer = methods.get(ctx.method);
    if (answer) return answer(ctx, next);
    throw new AppError('method_not_allowed', { headers });
  });
}

const nothingHere: Middleware<RequestState> = () => {
  throw new AppError('not_found');
};
