import type { Middleware, ParameterizedContext } from 'koa';
import type { ApiKey } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';

/** What the steps of one request leave for its line in the log and for the counts of refusals. */
export interface RequestState {
  requestId: string;
  /** The matched route, for the log: a raw path could carry an address. */
  route?: string;
  key?: ApiKey;
  /** Whoever is signed in to the dashboard. */
  personId?: string;
  checkId?: string;
  errorCode?: string;
}

export type RequestContext = ParameterizedContext<RequestState>;

/** What is asked for what the service's own routes do not know: the dashboard. */
export const BESIDE: InjectionToken<readonly Middleware<RequestState>[]> = Symbol('Beside');
