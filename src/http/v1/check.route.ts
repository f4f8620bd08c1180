import type { Middleware } from 'koa';
import { CheckService } from '../../checks/check-service.ts';
import type { Config } from '../../config/config.ts';
import { inject, injectable } from '../../di.ts';
import { KeyAuthenticator } from '../../keys/authenticator.ts';
import { FailedAuthThrottle } from '../../limits/failed-auth-throttle.ts';
import type { MonthlyQuota } from '../../limits/monthly-quota.ts';
import type { RateLimiter } from '../../limits/rate-limiter.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { CONFIG, KEY_RATE_LIMITER, METRICS, MONTHLY_QUOTA } from '../../tokens.ts';
import { authenticate } from '../middleware/authenticate.ts';
import { limitQuota } from '../middleware/limit-quota.ts';
import { limitRate } from '../middleware/limit-rate.ts';
import { readEmail } from '../middleware/read-email.ts';
import type { RequestState } from '../state.ts';
import { presentCheck } from './check.presenter.ts';

/** `POST /v1/`: who asks, how often, what, and the answer. The body is read only after the first two. */
@injectable()
export class CheckRoute {
  readonly chain: readonly Middleware<RequestState>[];

  constructor(
    @inject(CONFIG) config: Config,
    @inject(KeyAuthenticator) authenticator: KeyAuthenticator,
    @inject(FailedAuthThrottle) throttle: FailedAuthThrottle,
    @inject(KEY_RATE_LIMITER) limiter: RateLimiter,
    @inject(MONTHLY_QUOTA) quota: MonthlyQuota | null,
    @inject(CheckService) checks: CheckService,
    @inject(METRICS) metrics: Metrics,
  ) {
    this.chain = [
      authenticate(authenticator, throttle, config.http.trustedProxies, metrics),
      limitRate(limiter, config.rateLimit.windowSeconds, metrics),
      limitQuota(quota, metrics),
      readEmail(config.http.bodyLimitBytes),
      answer(checks),
    ];
  }
}

function answer(checks: CheckService): Middleware<RequestState> {
  return async (ctx) => {
    const { email, key, reservation } = ctx.state;
    if (email === undefined || !key) throw new Error('answer must come after authenticate and readEmail');
    const check = await checks.check(email, key, reservation);
    ctx.state.checkId = check.id;
    ctx.res.setHeader('Postern-Ruleset', check.decision.ruleset);
    if (check.signals.degraded.length > 0) ctx.set('Postern-Degraded', check.signals.degraded.join(', '));
    ctx.res.setHeader('Content-Type', 'application/json');
    ctx.body = presentCheck(check);
  };
}
