import type { Environment } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import type { Count } from '../provider-kit/index.ts';

/** State that all instances of the service would share. In memory it holds for the one process that serves the database. */

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

export type SignInVerdict =
  | { readonly allowed: false; readonly resetMs: number }
  | {
      readonly allowed: true;
      /** Takes back what the attempt counted. */
      succeeded(): Promise<void>;
    };

/**
 * Bounds guessing, by client: an IPv4 address, or the /64 of an IPv6 address. What succeeds is never held back by the
 * failures of other clients behind other addresses.
 */
export interface AttemptThrottle {
  /** Counts a failed authentication; `allowed` says whether it may still be answered with 401 rather than 429. */
  recordFailure(clientAddress: string): Promise<Pick<RateLimitResult, 'allowed' | 'resetMs'>>;
  /** Counts an attempt to sign in that is about to be made, by client and by email. */
  beginSignIn(clientAddress: string, email: string): Promise<SignInVerdict>;
}

/** Failed authentications and sign-ins. */
export const ATTEMPT_THROTTLE: InjectionToken<AttemptThrottle> = Symbol('AttemptThrottle');

/** A place in an account's month, held from before the body is read until the check is on record. */
export interface Reservation {
  /** When it was taken, in milliseconds since the epoch; the check's `created_at`, so that both fall into one month. */
  readonly at: number;
  /** The check is on record: the place is used for good. */
  settle(): Promise<void>;
  /** The request was refused: the place is free again. Does nothing after `settle`. */
  release(): Promise<void>;
  /** The commit failed without a word on whether the check is on record: the store is asked. Rejects when it does not answer. */
  doubt(): Promise<void>;
}

export type QuotaVerdict =
  | { readonly allowed: true; readonly reservation: Reservation }
  /** Milliseconds until the next month. */
  | { readonly allowed: false; readonly resetMs: number };

/**
 * Answered live checks of an account in a UTC calendar month. What is on record and what is under way never exceed the limit
 * together, so it is not exceeded by one, however many requests run at once.
 */
export interface Quota {
  readonly limit: number;
  /** Rejects when what is on record cannot be read. */
  reserve(accountId: string): Promise<QuotaVerdict>;
}

/** Checks per account and month; null where `quota.checks_per_month` is. */
export const MONTHLY_QUOTA: InjectionToken<Quota | null> = Symbol('MonthlyQuota');

/** Whose check is counted. Accounts and environments see nothing of each other's counts. */
export interface CountedCheck {
  readonly accountId: string;
  readonly environment: Environment;
  /** A key and those that replaced it: the same spelling from one family within ten minutes is a retry, which counts once. */
  readonly keyFamily: string;
  /** The address as it was typed, but for case: of `jane+1@x.org` and `jane+2@x.org` none is a retry of the other. */
  readonly spelling: string;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** The counts of one check, to be settled or undone; the first of the two calls holds. */
export interface CountReceipt {
  /** By fact: how often it was counted in its window, or how many different values were, this check included; 1 or more. */
  readonly numbers: Readonly<Record<string, number>>;
  /** The check is on record: it stays counted. */
  settle(): Promise<void>;
  /** The check was refused: it was never counted. */
  undo(): Promise<void>;
}

/** How often was asked before, by keyed hashes alone. After a crash or for want of memory counts are too low, and never too high. */
export interface VelocityCounters {
  /**
   * Counts a check under all that it is counted under: one call for a check. Checks side by side see each other. Answers within
   * `shared_state.timeout_ms` or rejects; the facts are unknown then, and nothing is counted. Rejects with AppError `unavailable` where
   * what counts is away, which is logged by then.
   */
  count(check: CountedCheck, counts: readonly Count[]): Promise<CountReceipt>;
}

export const VELOCITY_COUNTERS: InjectionToken<VelocityCounters> = Symbol('VelocityCounters');
