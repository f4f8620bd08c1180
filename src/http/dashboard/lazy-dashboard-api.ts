import type { Middleware } from 'koa';
import type { RequestState } from '../request-state.ts';

/** The path below which every endpoint of the management API lies. */
export const API_ROOT = '/dashboard/api';

/** Loads the management API at the first request for it: that takes half a second, which a service that only answers checks need not spend. */
export function lazyDashboardApi(load: () => Promise<Middleware<RequestState>>): Middleware<RequestState> {
  let loading: Promise<Middleware<RequestState>> | undefined;
  return async (ctx, next) => {
    if (!ctx.path.startsWith(`${API_ROOT}/`)) return next();
    loading ??= load().catch((error: unknown) => {
      // The next request tries again.
      loading = undefined;
      throw error;
    });
    return (await loading)(ctx, next);
  };
}
