import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { bearerOf } from '../../accounts/authenticator.ts';
import { CONFIG, type Config } from '../../app/config/config.ts';
import { inject, injectable } from '../../di.ts';
import { AppError } from '../../errors.ts';
import { EXPOSITION, type Exposition, METRICS, type Metrics } from '../../observability/metrics.ts';
import { ATTEMPT_THROTTLE, type AttemptThrottle } from '../../shared-state/ports.ts';
import type { RequestContext, RequestState } from '../request-state.ts';
import { clientAddress } from '../server/proxies.ts';

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="postern metrics"' };
/** RFC 6750 3.1. */
const REFUSAL = { 'WWW-Authenticate': 'Bearer realm="postern metrics", error="invalid_token"' };

/** Knows who holds `metrics.token`. A failure counts as one of a key does, for the same clients try both. */
export class MetricsToken {
  readonly #digest: Buffer;
  readonly #throttle: AttemptThrottle;
  readonly #trustedProxies: readonly string[];
  readonly #metrics: Metrics;

  constructor(token: string, throttle: AttemptThrottle, trustedProxies: readonly string[], metrics: Metrics) {
    this.#digest = digest(token);
    this.#throttle = throttle;
    this.#trustedProxies = trustedProxies;
    this.#metrics = metrics;
  }

  /** For what is open to all, and tells more to who holds the token. */
  async isHeldBy(ctx: RequestContext): Promise<boolean> {
    const { authorization } = ctx.req.headers;
    if (authorization === undefined) return false;
    if (this.#isCarried(authorization)) return true;
    await this.#countFailure(ctx);
    return false;
  }

  /** Lets nobody on without it. */
  async require(ctx: RequestContext): Promise<void> {
    const { authorization } = ctx.req.headers;
    if (this.#isCarried(authorization)) return;
    await this.#countFailure(ctx);
    if (bearerOf(authorization) === undefined) throw new AppError('missing_api_key', { headers: CHALLENGE });
    throw new AppError('invalid_api_key', { headers: REFUSAL });
  }

  /** Takes the same time wherever the two differ: hashes are compared, which are equally long. */
  #isCarried(authorization: string | undefined): boolean {
    const given = bearerOf(authorization);
    return given !== undefined && timingSafeEqual(digest(given), this.#digest);
  }

  async #countFailure(ctx: RequestContext): Promise<void> {
    const { allowed, resetMs } = await this.#throttle.recordFailure(
      clientAddress(ctx.req, this.#trustedProxies),
    );
    if (allowed) return;
    this.#metrics.limitReached('failed_auth');
    throw new AppError('rate_limited', { retryAfterMs: resetMs });
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

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
