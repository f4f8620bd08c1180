import type { Middleware } from 'koa';
import type { JsonSchema } from '../../provider-kit/index.ts';
import type { RequestState } from '../request-state.ts';
import type { MetricsToken } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** The answer of GET /healthz. */
export const HEALTH_ANSWER: JsonSchema = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['ok'] } },
  required: ['status'],
  additionalProperties: false,
};

/** The answer of GET /readyz, whichever its status is. */
export const READINESS_ANSWER: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ready', 'not_ready'] },
    states: {
      description: 'Each part: it works, checks do without it, or traffic should go elsewhere.',
      type: 'object',
      additionalProperties: { type: 'string', enum: ['ok', 'degraded', 'failing'] },
    },
    reasons: {
      description: 'Why, for each part that is not ok; for who holds `metrics.token`.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
  },
  required: ['status', 'states'],
  additionalProperties: false,
};

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
