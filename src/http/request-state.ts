import type { Middleware, ParameterizedContext } from 'koa';
import type { ApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import { type AppErrorOptions, ERRORS, type ErrorCode } from '../errors.ts';
import { createUlids } from '../lib/ulids.ts';
import type { Span } from '../observability/tracing.ts';

/** Of the header `Request-Id`. */
export const REQUEST_ID = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' } as const;

/** The one form in which a refusal leaves. */
export function errorEnvelope(code: ErrorCode, requestId: string, details?: AppErrorOptions['details']) {
  const error = { code, message: ERRORS[code].message, request_id: requestId };
  return { error: { ...error, ...(details !== undefined && { details }) } };
}

const nextUlid = createUlids();

const ACCEPTABLE = new RegExp(REQUEST_ID.pattern);

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
  /** Where the request is traced. */
  span?: Span;
  errorCode?: string;
  /** Why it cannot be done now: never of a request's own words. */
  reason?: string;
}

export type RequestContext = ParameterizedContext<RequestState>;

/** What the log says of a request that is over. `started` is a reading of `performance.now()`. */
export function lineOf({ state, method, status }: RequestContext, started: number): object {
  const { requestId, route, key, personId, checkId, errorCode, reason } = state;
  return {
    request_id: requestId,
    method,
    route: route ?? null,
    status,
    code: errorCode,
    reason,
    key_id: key?.id,
    account_id: key?.accountId,
    person_id: personId,
    check_id: checkId,
    duration_ms: Math.round((performance.now() - started) * 100) / 100,
  };
}

/** Ends the span of a request that is over. A refusal is no failure of the service (semantic conventions for HTTP servers). */
export function endSpan({ state, method, status }: RequestContext): void {
  const { requestId, route, key, checkId, errorCode } = state;
  state.span?.end(
    {
      'http.request.method': method,
      'http.response.status_code': status,
      'postern.request_id': requestId,
      ...(route && { 'http.route': route }),
      ...(key && { 'postern.environment': key.environment }),
      ...(checkId && { 'postern.check_id': checkId }),
      ...(errorCode && { 'error.type': errorCode }),
    },
    status >= 500,
  );
}

/** What is asked for what the service's own routes do not know: the dashboard. */
export const BESIDE: InjectionToken<readonly Middleware<RequestState>[]> = Symbol('Beside');
