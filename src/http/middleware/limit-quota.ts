import type { ApiKey } from '../../accounts/key.ts';
import { AppError } from '../../errors.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Quota, Reservation } from '../../shared-state/ports.ts';
import type { RequestContext } from '../state.ts';

/** Thirty days: the header's window cannot say "calendar month". */
const WINDOW_SECONDS = 2_592_000;

/** Holds a place in the account's month for a live check, which whoever asked gives back when none is answered. */
export function limitQuota(
  quota: Quota | null,
  metrics: Metrics,
): (ctx: RequestContext, key: ApiKey) => Promise<Reservation | undefined> {
  return async (ctx, key) => {
    if (quota === null || key.environment === 'test') return undefined;
    also(ctx, 'RateLimit-Policy', `"account";q=${quota.limit};w=${WINDOW_SECONDS}`);
    const verdict = await quota.reserve(key.accountId);
    if (verdict.allowed) return verdict.reservation;
    metrics.limitReached('account');
    also(ctx, 'RateLimit', `"account";r=0;t=${Math.ceil(verdict.resetMs / 1000)}`);
    throw new AppError('quota_exhausted', { retryAfterMs: verdict.resetMs });
  };
}

/** Adds an item to a list that a header holds already. */
function also({ res }: RequestContext, header: string, item: string): void {
  const items = res.getHeader(header);
  res.setHeader(header, items === undefined ? item : `${items}, ${item}`);
}
