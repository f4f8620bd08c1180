import type { Middleware } from 'koa';
import type { InjectionToken } from '../../di.ts';
import { messageOf } from '../../lib/thrown.ts';
import type { JsonSchema } from '../../provider-kit/index.ts';
import { closed } from '../json-types.ts';
import type { RequestState } from '../request-state.ts';
import type { MetricsToken } from './metrics.ts';

/** One part of the service. */
export interface ReadinessCheck {
  readonly name: string;
  /** Throws or rejects when it does not work. */
  readonly check: () => unknown;
  /** Checks are answered without it, only less well: no reason to send traffic elsewhere. */
  readonly isExtra?: true;
}

export type PartState = 'ok' | 'degraded' | 'failing';

export interface ReadinessReport {
  readonly ready: boolean;
  readonly states: Readonly<Record<string, PartState>>;
  /** Why, for each that is not ok. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Collects what `/readyz` reports; draining is failing on purpose. */
export class Readiness {
  readonly #checks: readonly ReadinessCheck[];
  #draining = false;

  constructor(checks: readonly ReadinessCheck[]) {
    this.#checks = checks;
  }

  startDraining(): void {
    this.#draining = true;
  }

  async report(): Promise<ReadinessReport> {
    const reasons: Record<string, string> = {};
    const states: Record<string, PartState> = {};
    for (const { name, check, isExtra } of this.#checks) {
      const reason = await faultOf(check);
      if (reason !== undefined) reasons[name] = reason;
      states[name] = reason === undefined ? 'ok' : isExtra ? 'degraded' : 'failing';
    }
    if (this.#draining) reasons.accepting = 'the service is stopping';
    states.accepting = this.#draining ? 'failing' : 'ok';
    return { ready: !Object.values(states).includes('failing'), states, reasons };
  }
}

/** What `/readyz` reports. */
export const READINESS: InjectionToken<Readiness> = Symbol('Readiness');

async function faultOf(check: () => unknown): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The answer of GET /healthz. */
export const HEALTH_ANSWER: JsonSchema = closed({ status: { type: 'string', enum: ['ok'] } });

/** The answer of GET /readyz, whichever its status is. */
export const READINESS_ANSWER: JsonSchema = closed(
  {
    status: { type: 'string', enum: ['ready', 'not_ready'] },
    states: {
      description: 'Each part: it works, checks do without it, or traffic should go elsewhere.',
      type: 'object',
      additionalProperties: { type: 'string', enum: ['ok', 'degraded', 'failing'] },
    },
    reasons: {
      description: 'Why, for each part that is not ok; shown only with `metrics.token`.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
  },
  ['reasons'],
);

/** `GET /healthz`: the process answers. */
export const health: Middleware = (ctx) => {
  ctx.set('Content-Type', 'application/json');
  ctx.body = '{"status":"ok"}';
};

/**
 * `GET /readyz`: 200 when every part works, 503 with the same body when one does not. The reasons are
 * shown only with `metrics.token`.
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
