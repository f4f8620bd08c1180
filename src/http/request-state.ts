import type { Middleware, ParameterizedContext } from 'koa';
import type { ApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import { type AppErrorOptions, ERRORS, type ErrorCode } from '../errors.ts';
import { createUlids } from '../lib/ulids.ts';
import type { Span } from '../observability/tracing.ts';

/** The schema of the header `Request-Id`. */
export const REQUEST_ID = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' } as const;

/** The body of every refusal. */
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

/** Set by the steps of one request, for its log line, its span and the counts of refusals. */
export interface RequestState {
  requestId: string;
  /** The matched route, for the log: a raw path could carry an address. */
  route?: string;
  key?: ApiKey;
  /** The person who is signed in to the dashboard. */
  personId?: string;
  checkId?: string;
  /** Set where the request is traced. */
  span?: Span;
  errorCode?: string;
  /** Why the request cannot be served now (5xx). Never contains text of the request. */
  reason?: string;
}

export type RequestContext = ParameterizedContext<RequestState>;

/** The fields of a finished request's log line. `started` is a reading of `performance.now()`. */
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

/** Ends the span of a finished request. Only a 5xx counts as failed, not a refusal (semantic conventions for HTTP servers). */
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

/** Middlewares for the requests that the service's own routes do not know: the dashboard. */
export const BESIDE: InjectionToken<readonly Middleware<RequestState>[]> = Symbol('Beside');
