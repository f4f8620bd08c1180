import type { KeyAuthenticator } from '../../accounts/authenticator.ts';
import type { ApiKey } from '../../accounts/key.ts';
import { AppError } from '../../errors.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { AttemptThrottle, Quota, RateLimiter, Reservation } from '../../shared-state/ports.ts';
import type { RequestContext } from '../request-state.ts';
import { clientAddress } from '../server/proxies.ts';

/** Finds the request's key. The throttle counts only failures: guesses from the same client address do not limit a valid key. */
export function authenticate(
  authenticator: KeyAuthenticator,
  throttle: AttemptThrottle,
  trustedProxies: readonly string[],
  metrics: Metrics,
): (ctx: RequestContext) => Promise<ApiKey> {
  const failed = failureCounter(throttle, trustedProxies, metrics);
  return async (ctx) => {
    try {
      const key = await authenticator.authenticate(ctx.req.headers.authorization);
      ctx.state.key = key;
      if (key.environment === 'test') ctx.set('Postern-Environment', 'test');
      return key;
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 401) throw error;
      await failed(ctx);
      throw error;
    }
  };
}

/** Counts a failed attempt of a client. Throws AppError `rate_limited`, in place of the attempt's own refusal, when there were too many. */
export function failureCounter(
  throttle: AttemptThrottle,
  trustedProxies: readonly string[],
  metrics: Metrics,
): (ctx: RequestContext) => Promise<void> {
  return async (ctx) => {
    const { allowed, resetMs } = await throttle.recordFailure(clientAddress(ctx.req, trustedProxies));
    if (allowed) return;
    metrics.count('postern_limit_denials_total', { limit: 'failed_auth' });
    throw new AppError('rate_limited', { retryAfterMs: resetMs });
  };
}

/** Limits the requests of a key together with the keys it was rotated from or to. Headers: draft-ietf-httpapi-ratelimit-headers-10. */
export function limitRate(limiter: RateLimiter, windowSeconds: number, metrics: Metrics) {
  return async (ctx: RequestContext, key: ApiKey): Promise<void> => {
    const { allowed, limit, remaining, resetMs } = await limiter.consume(key.family);
    ctx.res.setHeader('RateLimit-Policy', `"key";q=${limit};w=${windowSeconds}`);
    ctx.res.setHeader('RateLimit', `"key";r=${remaining};t=${Math.ceil(resetMs / 1000)}`);
    if (allowed) return;
    metrics.count('postern_limit_denials_total', { limit: 'key' });
    throw new AppError('rate_limited', { retryAfterMs: resetMs });
  };
}

/** Reserves one live check of the account's monthly quota; the caller releases the reservation when no check is answered. */
export function limitQuota(quota: Quota | null, metrics: Metrics) {
  return async (ctx: RequestContext, key: ApiKey): Promise<Reservation | undefined> => {
    if (quota === null) return undefined;
    // Thirty days: the header's window cannot say "calendar month".
    also(ctx, 'RateLimit-Policy', `"account";q=${quota.limit};w=2592000`);
    if (key.environment === 'test') return undefined;
    const verdict = await quota.reserve(key.accountId);
    if (verdict.allowed) return verdict.reservation;
    metrics.count('postern_limit_denials_total', { limit: 'account' });
    throw new AppError('quota_exhausted', { retryAfterMs: verdict.resetMs });
  };
}

/** Appends an item to the list in a header. */
export function also({ res }: RequestContext, header: string, item: string): void {
  const items = res.getHeader(header);
  res.setHeader(header, items === undefined ? item : `${items}, ${item}`);
}
