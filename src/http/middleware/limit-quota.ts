import type { Context, Middleware } from 'koa';
import { AppError } from '../../errors.ts';
import type { MonthlyQuota } from '../../limits/monthly-quota.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { RequestState } from '../state.ts';

/** Thirty days: the header's window cannot say "calendar month". */
const WINDOW_SECONDS = 2_592_000;

/** Holds a place in the account's month for a live check, and gives it back when none is answered. */
export function limitQuota(quota: MonthlyQuota | null, metrics: Metrics): Middleware<RequestState> {
  return async (ctx, next) => {
    const { key } = ctx.state;
    if (!key) throw new Error('limitQuota must come after authenticate');
    if (quota === null || key.environment === 'test') return next();
    also(ctx, 'RateLimit-Policy', `"account";q=${quota.limit};w=${WINDOW_SECONDS}`);
    const verdict = quota.reserve(key.accountId);
    if (!verdict.allowed) {
      metrics.limitReached('account');
      also(ctx, 'RateLimit', `"account";r=0;t=${Math.ceil(verdict.resetMs / 1000)}`);
      throw new AppError('quota_exhausted', { retryAfterMs: verdict.resetMs });
    }
    ctx.state.reservation = verdict.reservation;
    try {
      await next();
    } catch (error) {
      // 503: nobody knows whether the record was committed before the writer failed.
      if (error instanceof AppError && error.code === 'unavailable') verdict.reservation.doubt();
      throw error;
    } finally {
      verdict.reservation.release();
    }
  };
}

/** Adds an item to a list that a header holds already. */
function also({ res }: Context, header: string, item: string): void {
  const items = res.getHeader(header);
  res.setHeader(header, items === undefined ? item : `${items}, ${item}`);
}
