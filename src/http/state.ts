import type { ParameterizedContext } from 'koa';
import type { ApiKey } from '../accounts/keys/key.ts';

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
