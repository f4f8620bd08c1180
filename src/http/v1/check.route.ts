import type { Middleware } from 'koa';
import { KeyAuthenticator } from '../../accounts/authenticator.ts';
import { CONFIG, type Config } from '../../app/config/config.ts';
import type { Check } from '../../checks/check-record.ts';
import { CheckService } from '../../checks/check-service.ts';
import { inject, injectable } from '../../di.ts';
import { AppError } from '../../errors.ts';
import { METRICS, type Metrics } from '../../observability/metrics.ts';
import { TRACING, type Tracing } from '../../observability/tracing.ts';
import {
  ATTEMPT_THROTTLE,
  type AttemptThrottle,
  KEY_RATE_LIMITER,
  MONTHLY_QUOTA,
  type Quota,
  type RateLimiter,
} from '../../shared-state/ports.ts';
import { authenticate, limitQuota, limitRate } from '../middleware/admission.ts';
import { readEmail } from '../middleware/read-json.ts';
import type { RequestContext, RequestState } from '../request-state.ts';
import { presentCheck } from './check.presenter.ts';

/** `POST /v1/`: authenticate, apply the limits, read the body, check, answer. The body is read only after key and limits are settled. */
@injectable()
export class CheckRoute {
  readonly answer: Middleware<RequestState>;

  constructor(
    @inject(CONFIG) config: Config,
    @inject(KeyAuthenticator) authenticator: KeyAuthenticator,
    @inject(ATTEMPT_THROTTLE) throttle: AttemptThrottle,
    @inject(KEY_RATE_LIMITER) limiter: RateLimiter,
    @inject(MONTHLY_QUOTA) quota: Quota | null,
    @inject(CheckService) checks: CheckService,
    @inject(METRICS) metrics: Metrics,
    @inject(TRACING) tracing: Tracing,
  ) {
    const whoAsks = authenticate(authenticator, throttle, config.http.trustedProxies, metrics);
    const withinRate = limitRate(limiter, config.rateLimit.windowSeconds, metrics);
    const withinQuota = limitQuota(quota, metrics);
    const emailOf = readEmail(config.http.bodyLimitBytes);

    this.answer = async (ctx) => {
      const span = tracing.begin('POST /v1', ctx.req.headers);
      // The span ends with the request, when the status is known.
      if (span) ctx.state.span = span;
      const key = await whoAsks(ctx);
      await withinRate(ctx, key);
      const reservation = await withinQuota(ctx, key);
      try {
        const { check, recorded } = await checks.check(await emailOf(ctx), key, reservation, span);
        let body: string;
        try {
          // Built while the record is on its way to the disk.
          body = presentCheck(check);
        } finally {
          await recorded;
          ctx.state.checkId = check.id;
        }
        show(ctx, check, body);
      } catch (error) {
        // 503: it is unknown whether the record was committed before the writer failed.
        if (error instanceof AppError && error.code === 'unavailable') await reservation?.doubt();
        throw error;
      } finally {
        await reservation?.release();
      }
    };
  }
}

function show(ctx: RequestContext, { decision, signals }: Check, body: string): void {
  ctx.res.setHeader('Postern-Ruleset', decision.ruleset);
  if (signals.degraded.length > 0) ctx.res.setHeader('Postern-Degraded', signals.degraded.join(', '));
  const suggestion = signals.facts['typo.suggestion'];
  if (typeof suggestion === 'string' && suggestion !== 'none')
    ctx.res.setHeader('Postern-Suggestion', suggestion);
  ctx.res.setHeader('Content-Type', 'application/json');
  ctx.body = body;
}
