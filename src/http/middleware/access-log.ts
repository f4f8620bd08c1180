import type { Logger } from '../../observability/logger.ts';
import { requestIdOf } from '../request-id.ts';
import type { RequestContext } from '../state.ts';

/** Answers `Request-Id`. */
export function nameRequest(ctx: RequestContext): void {
  ctx.state.requestId = requestIdOf(ctx.req.headers['request-id']);
  ctx.res.setHeader('Request-Id', ctx.state.requestId);
}

/** One line for a request that is over. `started` is a reading of `performance.now()`. */
export function logRequest(log: Logger, ctx: RequestContext, started: number): void {
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
}
