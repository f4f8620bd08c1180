import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { bearerOf } from '../../keys/bearer.ts';
import type { FailedAuthThrottle } from '../../limits/failed-auth-throttle.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { clientAddress } from '../server/client-address.ts';
import type { RequestContext } from '../state.ts';

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="postern metrics"' };
/** RFC 6750 3.1. */
const REFUSAL = { 'WWW-Authenticate': 'Bearer realm="postern metrics", error="invalid_token"' };

/** Whether an `Authorization` header carries `metrics.token`. Takes the same time wherever the two differ. */
export function carriesToken(header: string | undefined, token: string): boolean {
  const given = bearerOf(header);
  // Of hashes, because timingSafeEqual compares only what is equally long.
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

/** Lets nobody on without the token. A failure counts as one of a key does, for the same clients try both. */
export function requireToken(
  token: string,
  throttle: FailedAuthThrottle,
  trustedProxies: readonly string[],
  metrics: Metrics,
): (ctx: RequestContext) => void {
  return (ctx) => {
    const { authorization } = ctx.req.headers;
    if (carriesToken(authorization, token)) return;
    const { allowed, resetMs } = throttle.recordFailure(clientAddress(ctx.req, trustedProxies));
    if (!allowed) {
      metrics.limitReached('failed_auth');
      throw new AppError('rate_limited', { retryAfterMs: resetMs });
    }
    if (bearerOf(authorization) === undefined) throw new AppError('missing_api_key', { headers: CHALLENGE });
    throw new AppError('invalid_api_key', { headers: REFUSAL });
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
