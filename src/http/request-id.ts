import { createUlids } from '../lib/ulids.ts';

const nextUlid = createUlids();

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `Request-Id` when it is safe to log and to send back, else a new `req_…`. */
export function requestIdOf(header: string | number | readonly string[] | undefined): string {
  return typeof header === 'string' && ACCEPTABLE.test(header) ? header : `req_${nextUlid(Date.now())}`;
}
