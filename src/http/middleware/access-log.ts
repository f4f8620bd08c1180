import { type RequestContext, requestIdOf } from '../request-state.ts';

/** Answers `Request-Id`. */
export function nameRequest(ctx: RequestContext): void {
  ctx.state.requestId = requestIdOf(ctx.req.headers['request-id']);
  ctx.res.setHeader('Request-Id', ctx.state.requestId);
}

/** What the log says of a request that is over. `started` is a reading of `performance.now()`. */
export function lineOf({ state, method, status }: RequestContext, started: number): object {
  const { requestId, route, key, personId, checkId, errorCode } = state;
  return {
    request_id: requestId,
    method,
    route: route ?? null,
    status,
    code: errorCode,
    key_id: key?.id,
    account_id: key?.accountId,
    person_id: personId,
    check_id: checkId,
    duration_ms: Math.round((performance.now() - started) * 100) / 100,
  };
}
