import type { InjectionToken } from '../../di.ts';
/** A denied request is a value; a broken limiter is an error. */
export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/** Counts requests in fixed windows. */
export interface RateLimiter {
  consume(id: string): Promise<RateLimitResult>;
}

/** Requests per key. */
export const KEY_RATE_LIMITER: InjectionToken<RateLimiter> = Symbol('KeyRateLimiter');
