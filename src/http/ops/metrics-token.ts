import { createHash, timingSafeEqual } from 'node:crypto';
import { bearerOf } from '../../accounts/authenticator.ts';
import { AppError } from '../../errors.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { AttemptThrottle } from '../../shared-state/ports.ts';
import { clientAddress } from '../server/client-address.ts';
import type { RequestContext } from '../state.ts';

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
