import type { Middleware } from 'koa';
import { CONFIG, type Config } from '../../app/config/config.ts';
import { inject, injectable } from '../../di.ts';
import { EXPOSITION, type Exposition, METRICS, type Metrics } from '../../observability/metrics.ts';
import { ATTEMPT_THROTTLE, type AttemptThrottle } from '../../shared-state/ports.ts';
import type { RequestState } from '../state.ts';
import { MetricsToken } from './metrics-token.ts';

/** `GET /metrics`, for those who hold the token where there is one. Mounted only where it is open. */
@injectable()
export class MetricsRoute {
  readonly answer: Middleware<RequestState>;
  /** Null where none is set. */
  readonly token: MetricsToken | null;

  constructor(
    @inject(CONFIG) { http, metrics: { token } }: Config,
    @inject(ATTEMPT_THROTTLE) throttle: AttemptThrottle,
    @inject(METRICS) metrics: Metrics,
    @inject(EXPOSITION) exposition: Exposition | null,
  ) {
    this.token = token === null ? null : new MetricsToken(token, throttle, http.trustedProxies, metrics);

    this.answer = async (ctx) => {
      await this.token?.require(ctx);
      if (!exposition) throw new Error('/metrics is mounted and nothing is counted');
      ctx.set('Content-Type', exposition.contentType);
      ctx.set('Cache-Control', 'no-store');
      ctx.body = await exposition.expose();
    };
  }
}
