import type { Middleware } from 'koa';
import type { Readiness } from './readiness.ts';

/** `GET /healthz`: the process answers. */
export const health: Middleware = (ctx) => {
  ctx.set('Content-Type', 'application/json');
  ctx.body = '{"status":"ok"}';
};

/** `GET /readyz`: 200 when every part works, 503 with the same body when one does not. */
export function ready(readiness: Readiness): Middleware {
  return (ctx) => {
    const { ready, states } = readiness.report();
    ctx.status = ready ? 200 : 503;
    ctx.set('Content-Type', 'application/json');
    ctx.set('Cache-Control', 'no-store');
    ctx.body = JSON.stringify({ status: ready ? 'ready' : 'not_ready', states });
  };
}
