import type { Middleware } from 'koa';
import { KeyAuthenticator } from '../../accounts/authenticator.ts';
import type { ApiKey } from '../../accounts/key.ts';
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
  type Reservation,
} from '../../shared-state/ports.ts';
import { failureCounter } from '../middleware/admission.ts';
import { readEmail } from '../middleware/read-json.ts';
import type { RequestContext, RequestState } from '../request-state.ts';
import { presentCheck } from './check.presenter.ts';

/** `POST /v1/`: authenticate, apply the limits, read the body, check, answer. The body is read only after key and limits are settled. */
@injectable()
export class CheckRoute {
  readonly #emailOf: ReturnType<typeof readEmail>;
  readonly #failed: ReturnType<typeof failureCounter>;

  constructor(
    @inject(CONFIG) private readonly config: Config,
    @inject(KeyAuthenticator) private readonly authenticator: KeyAuthenticator,
    @inject(ATTEMPT_THROTTLE) throttle: AttemptThrottle,
    @inject(KEY_RATE_LIMITER) private readonly limiter: RateLimiter,
    @inject(MONTHLY_QUOTA) private readonly quota: Quota | null,
    @inject(CheckService) private readonly checks: CheckService,
    @inject(METRICS) private readonly metrics: Metrics,
    @inject(TRACING) private readonly tracing: Tracing,
  ) {
    this.#emailOf = readEmail(config.http.bodyLimitBytes);
    this.#failed = failureCounter(throttle, config.http.trustedProxies, metrics);
  }

  readonly answer: Middleware<RequestState> = async (ctx) => {
    const span = this.tracing.begin('POST /v1', ctx.req.headers);
    // The span ends with the request, when the status is known.
    if (span) ctx.state.span = span;
    const key = await this.#authenticate(ctx);
    await this.#limitRate(ctx, key);
    const reservation = await this.#limitQuota(key);
    try {
      const email = await this.#emailOf(ctx);
      const { check, recorded } = await this.checks.check(email, key, reservation, span);
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

  /** The throttle counts only failures: guesses from the same client address do not limit a valid key. */
  async #authenticate(ctx: RequestContext): Promise<ApiKey> {
    try {
      const key = await this.authenticator.authenticate(ctx.req.headers.authorization);
      ctx.state.key = key;
      if (key.environment === 'test') ctx.set('Postern-Environment', 'test');
      return key;
    } catch (error) {
      if (error instanceof AppError && error.status === 401) await this.#failed(ctx);
      throw error;
    }
  }

  /** Limits the requests of a key together with the keys it was rotated from or to. Headers: draft-ietf-httpapi-ratelimit-headers-10. */
  async #limitRate(ctx: RequestContext, key: ApiKey): Promise<void> {
    const { allowed, limit, remaining, resetMs } = await this.limiter.consume(key.family);
    // Thirty days: the header's window cannot say "calendar month".
    const account = this.quota ? `, "account";q=${this.quota.limit};w=2592000` : '';
    const { windowSeconds } = this.config.rateLimit;
    ctx.res.setHeader('RateLimit-Policy', `"key";q=${limit};w=${windowSeconds}${account}`);
    ctx.res.setHeader('RateLimit', `"key";r=${remaining};t=${Math.ceil(resetMs / 1000)}`);
    if (allowed) return;
    this.metrics.count('postern_limit_denials_total', { limit: 'key' });
    throw new AppError('rate_limited', { retryAfterMs: resetMs });
  }

  /** Reserves one live check of the account's monthly quota. */
  async #limitQuota(key: ApiKey): Promise<Reservation | undefined> {
    if (this.quota === null || key.environment === 'test') return undefined;
    const verdict = await this.quota.reserve(key.accountId);
    if (verdict.allowed) return verdict.reservation;
    this.metrics.count('postern_limit_denials_total', { limit: 'account' });
    throw new AppError('quota_exhausted', { retryAfterMs: verdict.resetMs });
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
