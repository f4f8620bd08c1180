import type { Middleware } from 'koa';
import type { InjectionToken } from '../../di.ts';
import { reasonOf } from '../../errors.ts';
import type { RequestState } from '../request-state.ts';
import type { MetricsToken } from './metrics.ts';

/** One part of the service. */
interface ReadinessCheck {
  readonly name: string;
  /** Throws or rejects when it does not work. */
  readonly check: () => unknown;
  /** Checks are still answered when this part does not work, only less well: no reason to send traffic elsewhere. */
  readonly isExtra?: true;
}

/** Collects the states that `/readyz` reports. While the service drains, one state is `failing` on purpose. */
export class Readiness {
  #draining = false;

  constructor(private readonly checks: readonly ReadinessCheck[]) {}

  startDraining(): void {
    this.#draining = true;
  }

  async report() {
    /** Why, for each part that is not ok. */
    const reasons: Record<string, string> = {};
    const states: Record<string, 'ok' | 'degraded' | 'failing'> = {};
    for (const { name, check, isExtra } of this.checks) {
      const reason = await Promise.try(check).then(() => undefined, reasonOf);
      if (reason !== undefined) reasons[name] = reason;
      states[name] = reason === undefined ? 'ok' : isExtra ? 'degraded' : 'failing';
    }
    if (this.#draining) reasons.accepting = 'the service is stopping';
    states.accepting = this.#draining ? 'failing' : 'ok';
    return { ready: !Object.values(states).includes('failing'), states, reasons };
  }
}

export const READINESS: InjectionToken<Readiness> = Symbol('Readiness');

export const health: Middleware = (ctx) => {
  ctx.set('Content-Type', 'application/json');
  ctx.body = '{"status":"ok"}';
};

/** `GET /readyz`: 200, or 503 with a body of the same form when a part is `failing`. A `degraded` part leaves the 200. */
export function ready(readiness: Readiness, token: MetricsToken | null): Middleware<RequestState> {
  return async (ctx) => {
    const { ready, states, reasons } = await readiness.report();
    // Open to all, and shows more to a client with the token.
    const isTrusted = ctx.req.headers.authorization !== undefined && (await token?.isHeldBy(ctx)) === true;
    ctx.status = ready ? 200 : 503;
    ctx.set('Content-Type', 'application/json');
    ctx.set('Cache-Control', 'no-store');
    const status = ready ? 'ready' : 'not_ready';
    ctx.body = JSON.stringify({ status, states, ...(isTrusted && { reasons }) });
  };
}
