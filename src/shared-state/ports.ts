import type { Environment } from '../accounts/key.ts';
import type { InjectionToken } from '../di.ts';
import type { Count } from '../provider-kit/index.ts';

/** State that all instances of the service share, in Valkey. In memory it is for the only process that serves the database. */

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
 * Bounds guessing, by client: an IPv4 address, or the /64 of an IPv6 address. Failures of clients at other addresses never
 * hold back a valid key, nor a client's first attempt to sign in.
 */
export interface AttemptThrottle {
  /** Counts a failed authentication; `allowed` says whether it may still be answered with 401 rather than 429. */
  recordFailure(clientAddress: string): Promise<Pick<RateLimitResult, 'allowed' | 'resetMs'>>;
  /** Counts an attempt to sign in that is about to be made, by client and by email. */
  beginSignIn(clientAddress: string, email: string): Promise<SignInVerdict>;
}

/** Failed authentications and sign-ins. */
export const ATTEMPT_THROTTLE: InjectionToken<AttemptThrottle> = Symbol('AttemptThrottle');

/** A place in an account's monthly quota, held from before the body is read until the check is on record. */
export interface Reservation {
  /** When the place was taken, in milliseconds since the epoch. Also the check's `created_at`, so that both are in one month. */
  readonly at: number;
  /** The check is on record: the place is used for good. */
  settle(): Promise<void>;
  /** The request was refused: the place is free again. Does nothing after `settle`. */
  release(): Promise<void>;
  /** Call it when a commit failed and the check may be on record or not: asks the store. Rejects when the store does not answer. */
  doubt(): Promise<void>;
}

export type QuotaVerdict =
  | { readonly allowed: true; readonly reservation: Reservation }
  /** Milliseconds until the next month. */
  | { readonly allowed: false; readonly resetMs: number };

/**
 * Limits the answered live checks of an account in a UTC calendar month. In one process, checks on record and checks under way
 * together never exceed the limit, however many requests run at once. For several instances see `MonthlyQuota`.
 */
export interface Quota {
  readonly limit: number;
  /** Takes a place for a check. Rejects when the checks on record cannot be read. */
  reserve(accountId: string): Promise<QuotaVerdict>;
}

/** Checks per account and month; null where `quota.checks_per_month` is null. */
export const MONTHLY_QUOTA: InjectionToken<Quota | null> = Symbol('MonthlyQuota');

/** Whose check is counted. Accounts and environments see nothing of each other's counts. */
export interface CountedCheck {
  readonly accountId: string;
  readonly environment: Environment;
  /** A key and those that replaced it: the same spelling from one family within ten minutes is a retry, which counts once. */
  readonly keyFamily: string;
  /** The address as it was typed, but for case: `jane+1@x.org` is no retry of `jane+2@x.org`. */
  readonly spelling: string;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** The counts of one check, to be settled or undone; the first of the two calls holds. */
export interface CountReceipt {
  /** By fact: how many checks, or different values, were counted in the fact's window, this check included; 1 or more. */
  readonly numbers: Readonly<Record<string, number>>;
  /** The check is on record: it stays counted. */
  settle(): Promise<void>;
  /** The check was refused: it was never counted. */
  undo(): Promise<void>;
}

/** Counts earlier checks, by keyed hashes alone. Counts may be too low after a crash or for want of memory; too high only as the driver says. */
export interface VelocityCounters {
  /**
   * Counts a check under all of `counts`: one call for a check. Concurrent checks count each other. Answers within
   * `shared_state.timeout_ms` or rejects; then the facts are unknown, and nothing is counted. Rejects with AppError `unavailable` where
   * Valkey is away, which is logged by then.
   */
  count(check: CountedCheck, counts: readonly Count[]): Promise<CountReceipt>;
}

export const VELOCITY_COUNTERS: InjectionToken<VelocityCounters> = Symbol('VelocityCounters');
