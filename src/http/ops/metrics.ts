import { timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { bearerOf } from '../../accounts/authenticator.ts';
import { hashSecret } from '../../accounts/key.ts';
import { CONFIG, type Config } from '../../app/config/config.ts';
import { inject, injectable } from '../../di.ts';
import { AppError } from '../../errors.ts';
import { EXPOSITION, type Exposition, METRICS, type Metrics } from '../../observability/metrics.ts';
import { ATTEMPT_THROTTLE, type AttemptThrottle } from '../../shared-state/ports.ts';
import { failureCounter } from '../middleware/admission.ts';
import type { RequestContext, RequestState } from '../request-state.ts';

const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="postern metrics"' };
/** RFC 6750 3.1. */
const REFUSAL = { 'WWW-Authenticate': 'Bearer realm="postern metrics", error="invalid_token"' };

/** Recognizes a client that holds `metrics.token`. A failed attempt counts like one with a key, because the same clients try both. */
export class MetricsToken {
  readonly #digest: Buffer;

  /** `failed` counts a failed attempt of the request's client. */
  constructor(
    token: string,
    private readonly failed: (ctx: RequestContext) => Promise<void>,
  ) {
    this.#digest = hashSecret(token);
  }

  /** For routes that show more to a client with the token. Throws AppError `rate_limited` after too many wrong ones. */
  async isHeldBy(ctx: RequestContext): Promise<boolean> {
    const given = bearerOf(ctx.req.headers.authorization);
    // Credentials of another scheme, such as a proxy adds to its probes, are no guess at the token.
    if (given === undefined) return false;
    // In constant time: the hashes of both tokens, which are equally long.
    if (timingSafeEqual(hashSecret(given), this.#digest)) return true;
    await this.failed(ctx);
    return false;
  }

  /** Throws AppError `missing_api_key` or `invalid_api_key` without the token; `rate_limited` after too many failed attempts. */
  async require(ctx: RequestContext): Promise<void> {
    const isMissing = bearerOf(ctx.req.headers.authorization) === undefined;
    if (isMissing) await this.failed(ctx);
    else if (await this.isHeldBy(ctx)) return;
    throw new AppError(isMissing ? 'missing_api_key' : 'invalid_api_key', {
      headers: isMissing ? CHALLENGE : REFUSAL,
    });
  }
}

/** `GET /metrics`, with the token where one is set. `App` mounts it where `metrics.token` or `metrics.port` is set. */
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
    const failed = failureCounter(throttle, http.trustedProxies, metrics);
    this.token = token === null ? null : new MetricsToken(token, failed);

    this.answer = async (ctx) => {
      await this.token?.require(ctx);
      if (!exposition) throw new Error('/metrics is mounted and nothing is counted');
      ctx.set('Content-Type', exposition.contentType);
      ctx.set('Cache-Control', 'no-store');
      ctx.body = await exposition.expose();
    };
  }
}
