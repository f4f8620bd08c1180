import type { Middleware, ParameterizedContext } from 'koa';
import type { ApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import { createUlids } from '../lib/ulids.ts';

const nextUlid = createUlids();

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `Request-Id` when it is safe to log and to send back, else a new `req_…`. */
export function requestIdOf(header: string | number | readonly string[] | undefined): string {
  return typeof header === 'string' && ACCEPTABLE.test(header) ? header : `req_${nextUlid(Date.now())}`;
}

/** What the steps of one request leave for its line in the log and for the counts of refusals. */
export interface RequestState {
  requestId: string;
  /** The matched route, for the log: a raw path could carry an address. */
  route?: string;
  key?: ApiKey;
  /** The person who is signed in to the dashboard. */
  personId?: string;
  checkId?: string;
  errorCode?: string;
}

export type RequestContext = ParameterizedContext<RequestState>;

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

/** What is asked for what the service's own routes do not know: the dashboard. */
export const BESIDE: InjectionToken<readonly Middleware<RequestState>[]> = Symbol('Beside');
