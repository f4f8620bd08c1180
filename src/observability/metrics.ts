import type { Environment } from '../accounts/key.ts';

import type { InjectionToken } from '../di.ts';
import type { ErrorCode } from '../errors.ts';
import type { ListResult } from '../lists/list-store.ts';
import type { DataList, SmtpOutcome, UnknownReason } from '../provider-kit/index.ts';
import type { Action, Level } from '../rules/decision.ts';

/** The story of a live check, and the whole of it. */
export type Stage = 'parse' | 'collect' | 'decide' | 'record' | 'whole';

/** What a provider came to in one check: every fact known, or why not, a failure before `not_run`. */
export type Outcome = 'known' | UnknownReason;

/** A look into a provider's answers: kept, being asked for by somebody else, or neither. */
export type CacheResult = 'hit' | 'joined' | 'miss';

/** Which limit a request ran into: its key's window, its account's month, or its address's failed keys. */
export type Limit = 'key' | 'account' | 'failed_auth';

/** Where a refused request came from; `none` before its key is known. */
export type Origin = Environment | 'none';

/**
 * Told what happens, as it happens. Costs nanoseconds, never throws, and takes no address, domain, key or
 * account: what it is told stands in a page that others may read.
 */
export interface Metrics {
  /** Live checks only: the fixed world of test keys says nothing about this service. */
  stageTook(stage: Stage, ms: number): void;
  checkAnswered(environment: Environment): void;
  /** Live checks only. */
  decided(action: Action, level: Level): void;
  /** Live checks only: what the challenger made of one. */
  challenged(result: ChallengeResult): void;
  /** `rules.challenger_dir`, at the start and each time after. */
  challengerLoaded(succeeded: boolean): void;
  refused(code: ErrorCode, origin: Origin): void;
  limitReached(limit: Limit): void;
  providerAnswered(provider: string, outcome: Outcome): void;
  /** The provider itself; an answer that was kept took none of its time. */
  providerTook(provider: string, ms: number): void;
  answerCacheRead(provider: string, result: CacheResult): void;
  /** A DNS server stopped replying, or replies again. */
  dnsServerChanged(isOut: boolean): void;
  /** A mail host was asked for names that nobody has. */
  mailHostAsked(outcome: SmtpOutcome): void;
  /** A remembered decision differed from the engine's, which is a bug. */
  memoMismatched(): void;
  /** Rules and lists, at the start and each time after. */
  rulesLoaded(succeeded: boolean, atMs: number): void;
  recordsDeleted(count: number): void;
  /** An attempt of the background to update a list of `lists.urls`, by its id. */
  listRefreshed(list: string, result: ListResult): void;
}

/** Told what happens; `noMetrics` where nobody may look. */
export const METRICS: InjectionToken<Metrics> = Symbol('Metrics');

/** What is read when somebody looks, not told as it happens. */
export interface Gauges {
  /** Hash of the rule set in force. */
  readonly ruleset: () => string;
  /** Whether the rules directory holds what was refused, or what fails its own tests. */
  readonly rulesComplained: () => boolean;
  /** Hash of the challenger's rule set; null where there is none. */
  readonly challenger: () => string | null;
  /** Decisions since the start, by whether their truth vector was known. */
  readonly memo: () => { readonly hits: number; readonly misses: number };
  /** What the providers answer from, each list with its provider. */
  readonly lists: () => readonly (readonly [provider: string, list: DataList])[];
  /** Each list of `lists.urls`, and when its source was last seen to hold what is in force; null before the first time. */
  readonly downloads: () => readonly (readonly [list: string, confirmedMs: number | null])[];
  /** Checks that wait for the disk. */
  readonly commitQueueDepth: () => number;
  /** Memory of the counts of checks, and hashes given up for want of it. */
  readonly counts: () => { readonly octets: number; readonly forgotten: number };
}

/** Everything that is counted, as one text. */
export interface Exposition {
  readonly contentType: string;
  expose(): Promise<string>;
}

/** What `/metrics` shows; null where it is closed. */
export const EXPOSITION: InjectionToken<Exposition | null> = Symbol('Exposition');

/** For who is not watched: commands, tests, and a service whose metrics nobody may read. */
export const noMetrics: Metrics = {
  stageTook: () => undefined,
  checkAnswered: () => undefined,
  decided: () => undefined,
  challenged: () => undefined,
  challengerLoaded: () => undefined,
  refused: () => undefined,
  limitReached: () => undefined,
  providerAnswered: () => undefined,
  providerTook: () => undefined,
  answerCacheRead: () => undefined,
  dnsServerChanged: () => undefined,
  mailHostAsked: () => undefined,
  memoMismatched: () => undefined,
  rulesLoaded: () => undefined,
  recordsDeleted: () => undefined,
  listRefreshed: () => undefined,
};

/** What a challenger made of a check, beside what was answered: the same, an action that would have changed, or nothing. */
export const CHALLENGE_RESULTS = ['agree', 'would_block', 'would_allow', 'failed'] as const;

export type ChallengeResult = (typeof CHALLENGE_RESULTS)[number];
