import type { Middleware } from 'koa';
import type { RequestState } from '../state.ts';
import type { MetricsToken } from './metrics-token.ts';
import type { Readiness } from './readiness.ts';

/** `GET /healthz`: the process answers. */
export const health: Middleware = (ctx) => {
  ctx.set('Content-Type', 'application/json');
  ctx.body = '{"status":"ok"}';
};

/**
 * `GET /readyz`: 200 when every part works, 503 with the same body when one does not. Why it does not is for
 * those who hold `metrics.token`.
 */
export function ready(readiness: Readiness, token: MetricsToken | null): Middleware<RequestState> {
  return async (ctx) => {
    const { ready, states, reasons } = await readiness.report();
    const isTrusted = (await token?.isHeldBy(ctx)) === true;
    ctx.status = ready ? 200 : 503;
    ctx.set('Content-Type', 'application/json');
    ctx.set('Cache-Control', 'no-store');
    ctx.body = JSON.stringify({
      status: ready ? 'ready' : 'not_ready',
      states,
      ...(isTrusted && { reasons }),
    });
  };
}
