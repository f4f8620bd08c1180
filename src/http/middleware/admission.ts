import { AppError } from '../../errors.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { AttemptThrottle } from '../../shared-state/ports.ts';
import type { RequestContext } from '../request-state.ts';
import { clientAddress } from '../server/proxies.ts';

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

/** Appends an item to the list in a header. */
export function also({ res }: RequestContext, header: string, item: string): void {
  const items = res.getHeader(header);
  res.setHeader(header, items === undefined ? item : `${items}, ${item}`);
}
