import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getDefaultHighWaterMark } from 'node:stream';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import Koa from 'koa';
import { AppError } from '../errors.ts';
import { once } from '../lib/concurrency.ts';
import { packageRoot } from '../lib/paths.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { answerFailure } from './middleware/answer-failure.ts';
import { endSpan, lineOf, type RequestContext, type RequestState, requestIdOf } from './request-state.ts';
import { noteKnown } from './server/connections.ts';
import { type LoggedClient, noClient } from './server/proxies.ts';

/** What a socket buffers at once (its high-water mark), less the most that headers may take. */
const LARGE_BYTES = getDefaultHighWaterMark(false) - 16_384;

/**
 * Closes the connection after a large answer, so that no request follows it. Node 24 pauses its parser at a request that arrives
 * while the previous answer is still being written, but Node's TLS goes on feeding the parser the bytes of that request. A body of
 * more than one TLS record then fails as `HPE_PAUSED`, and the client would get 400 though it sent nothing wrong.
 * Requests that the client sent behind this one, before it saw the answer, are not answered.
 */
function closeAfterLarge({ body, res }: RequestContext): void {
  const isSized = typeof body === 'string' || Buffer.isBuffer(body);
  // The size of a stream is unknown: it counts as large.
  if (isSized ? Buffer.byteLength(body) >= LARGE_BYTES : body) res.shouldKeepAlive = false;
}

/** Error codes where the client closed or cut the connection, for the socket and for a stream to it. A fault of ours has another code. */
const CLIENT_LEFT = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Logs why an answer did not get through: a client that leaves is no fault of ours, anything else is a bug. */
export function logResponseFailure(log: Logger, err: NodeJS.ErrnoException): void {
  if (CLIENT_LEFT.has(err.code ?? ''))
    log.info({ reason: err.code }, 'the client left before its answer was through');
  else log.error({ err }, 'response failed');
}

/** A Koa app that gives every request an id, a line in the log and one form of refusal. `beside` gets the requests that the router does not know. */
export function createKoaApp(
  log: Logger,
  metrics: Metrics,
  router: Router<RequestState>,
  beside: readonly Middleware<RequestState>[] = [],
  clientOf: LoggedClient = noClient,
): Koa<RequestState> {
  const koa = new Koa<RequestState>();
  koa.silent = true;
  koa.on('error', (err) => logResponseFailure(log, err));
  koa.use(requestBoundary(log, metrics, clientOf)).use(router.routes());
  for (const middleware of beside) koa.use(middleware);
  koa.use(() => {
    throw new AppError('not_found');
  });
  return koa;
}

/** Request id, error boundary and access log in one function: each further middleware costs every request a microtask. */
function requestBoundary(log: Logger, metrics: Metrics, clientOf: LoggedClient): Middleware<RequestState> {
  return async (ctx, next) => {
    const started = performance.now();
    ctx.state.requestId = requestIdOf(ctx.req.headers['request-id']);
    ctx.res.setHeader('Request-Id', ctx.state.requestId);
    try {
      await next();
    } catch (thrown) {
      answerFailure(ctx, thrown, log, metrics);
    }
    closeAfterLarge(ctx);
    if (ctx.status < 400 && (ctx.state.key || ctx.state.personId)) noteKnown(ctx.res);
    log.info({ ...lineOf(ctx, started), ...clientOf(ctx.req) }, 'request');
    if (ctx.state.span) endSpan(ctx);
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

/** Answers with an API description from `docs/`, read at the first request. `npm run openapi` writes it; a test holds it to the schemas. */
export function showDescription(file: 'openapi.json' | 'dashboard-openapi.json'): Middleware {
  const text = once(() => JSON.stringify(JSON.parse(readFileSync(join(packageRoot, 'docs', file), 'utf8'))));
  return (ctx) => {
    ctx.set('Content-Type', 'application/json');
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.body = text();
  };
}
