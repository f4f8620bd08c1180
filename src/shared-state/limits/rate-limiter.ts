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
