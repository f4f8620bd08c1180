import type { Context, DefaultContext } from 'koa';
import type { ApiKey } from '../keys/key.ts';

/** What the middlewares of one request leave for those after them. */
export interface RequestState {
  requestId: string;
  /** The matched route, for the log: a raw path could carry an address. */
  route?: string;
  key?: ApiKey;
  email?: string;
  checkId?: string;
  errorCode?: string;
}

export type RequestContext = Context & DefaultContext & { state: RequestState };
