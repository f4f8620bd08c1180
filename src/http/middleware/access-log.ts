import type { Middleware } from 'koa';
import type { Logger } from '../../observability/logger.ts';
import { requestIdOf } from '../request-id.ts';
import type { RequestState } from '../state.ts';

/** Names the request, answers `Request-Id`, and writes one line when it is over. */
export function accessLog(log: Logger): Middleware<RequestState> {
  return async (ctx, next) => {
    const started = performance.now();
    ctx.state.requestId = requestIdOf(ctx.req.headers['request-id']);
    ctx.res.setHeader('Request-Id', ctx.state.requestId);
    await next();
    const { requestId, route, key, personId, checkId, errorCode } = ctx.state;
    log.info(
      {
        request_id: requestId,
        method: ctx.method,
        route: route ?? null,
        status: ctx.status,
        code: errorCode,
        key_id: key?.id,
        account_id: key?.accountId,
        person_id: personId,
        check_id: checkId,
        duration_ms: Math.round((performance.now() - started) * 100) / 100,
      },
      'request',
    );
  };
}
