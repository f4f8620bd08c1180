import type { ApiKey } from '../keys/key.ts';
import type { Reservation } from '../limits/monthly-quota.ts';

/** What the middlewares of one request leave for those after them. */
export interface RequestState {
  requestId: string;
  /** The matched route, for the log: a raw path could carry an address. */
  route?: string;
  key?: ApiKey;
  /** Whoever is signed in to the dashboard. */
  personId?: string;
  email?: string;
  /** Held for a live check of an account with a quota. */
  reservation?: Reservation;
  checkId?: string;
  errorCode?: string;
}
