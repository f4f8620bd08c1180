import type { Middleware } from 'koa';
import { AppError } from '../../errors.ts';
import type { RateLimiter } from '../../limits/rate-limiter.ts';
import type { RequestState } from '../state.ts';

/** One key's requests in a window; draft-ietf-httpapi-ratelimit-headers-10 tells the client where it stands. */
export function limitRate(limiter: RateLimiter, windowSeconds: number): Middleware<RequestState> {
  return async (ctx, next) => {
    const { key } = ctx.state;
    if (!key) throw new Error('limitRate must come after authenticate');
    const { allowed, limit, remaining, resetMs } = await limiter.consume(key.id);
    ctx.set('RateLimit-Policy', `"key";q=${limit};w=${windowSeconds}`);
    ctx.set('RateLimit', `"key";r=${remaining};t=${Math.ceil(resetMs / 1000)}`);
    if (!allowed) throw new AppError('rate_limited', { retryAfterMs: resetMs });
    await next();
  };
}
