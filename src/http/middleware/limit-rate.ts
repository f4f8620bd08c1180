import type { ApiKey } from '../../accounts/key.ts';
import { AppError } from '../../errors.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { RateLimiter } from '../../shared-state/ports.ts';
import type { RequestContext } from '../state.ts';

/**
 * The requests of one key, and of those it was rotated from or to, in a window; the headers of
 * draft-ietf-httpapi-ratelimit-headers-10 tell the client where it stands.
 */
export function limitRate(
  limiter: RateLimiter,
  windowSeconds: number,
  metrics: Metrics,
): (ctx: RequestContext, key: ApiKey) => Promise<void> {
  return async (ctx, key) => {
    const { allowed, limit, remaining, resetMs } = await limiter.consume(key.family);
    ctx.res.setHeader('RateLimit-Policy', `"key";q=${limit};w=${windowSeconds}`);
    ctx.res.setHeader('RateLimit', `"key";r=${remaining};t=${Math.ceil(resetMs / 1000)}`);
    if (allowed) return;
    metrics.limitReached('key');
    throw new AppError('rate_limited', { retryAfterMs: resetMs });
  };
}
