import type { KeyAuthenticator } from '../../accounts/authenticator.ts';
import type { ApiKey } from '../../accounts/key.ts';
import { AppError } from '../../errors.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { AttemptThrottle } from '../../shared-state/ports.ts';
import type { RequestContext } from '../request-state.ts';
import { clientAddress } from '../server/proxies.ts';

/** Tells whose request it is. The throttle comes after the key: a valid one is not limited by guesses from behind the same address. */
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

/** Counts a failed attempt of a client. Throws AppError `rate_limited` in place of its refusal when there were too many. */
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
