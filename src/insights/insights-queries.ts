import type { InjectionToken } from '../di.ts';
import type { Asking } from '../jobs/job-queue.ts';
import type { JobInput, JobOutput } from '../jobs/job-runner.ts';
import type { Label } from '../labels/label.ts';
import type { Facts } from '../rules/decision.ts';
import type { ExplainedDecision } from '../rules/explain-decision.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { CataloguedFacts } from '../signals/signals.ts';
import type { CheckHour, CheckRow } from '../storage/ports.ts';
import type { Range } from './hours.ts';
import type { Overview, Usage } from './overview.ts';

/** Of one account; of all when none is named. */
export interface OfAccount {
  readonly accountId?: string | undefined;
}

/** The filters of a search, named as in its query. */
export interface CheckFilter extends OfAccount {
  /** ISO 8601, UTC; `until` is the first instant that is not in it any more. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly id?: string | undefined;
  /** Hex HMAC-SHA-256 of the canonical address. */
  readonly person?: string | undefined;
  /** `example.org`, or `.example.org` for all below it. */
  readonly domain?: string | undefined;
  /** A rule that fired: for points, by force, in the shadow, for the level or the action. */
  readonly rule?: string | undefined;
  readonly action?: string | undefined;
  readonly level?: string | undefined;
  /** Both, when none is named. */
  readonly environment?: string | undefined;
  readonly min_score?: number | undefined;
  readonly max_score?: number | undefined;
  readonly label?: Label | 'none' | undefined;
  readonly ruleset?: string | undefined;
  readonly key_id?: string | undefined;
}

export interface CheckSearch extends CheckFilter {
  /** Finds only checks with one of these ids; some hundred at most. */
  readonly ids?: readonly string[] | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
  /** A place, `<created_at>.<id>`: finds the checks that are newer, the oldest first. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export const LISTED_COLUMNS = [
  'id',
  'created_at',
  'account_id',
  'key_id',
  'environment',
  'action',
  'risk_score',
  'risk_level',
  'ruleset',
  'domain',
  'address',
  'duration_us',
] as const satisfies readonly (keyof CheckRow)[];

/** A check as a list shows it. */
export interface ListedCheck extends Pick<CheckRow, (typeof LISTED_COLUMNS)[number]> {
  /** Hex HMAC-SHA-256 of the canonical address; null where records keep none. */
  readonly person: string | null;
  readonly label: Label | null;
  /** Rules that fired and their points, the most first. */
  readonly rules: readonly { readonly id: string; readonly points: number }[];
  /** Facts that were unknown. */
  readonly unknown: readonly string[];
}

export interface FoundChecks {
  /** The newest first. */
  readonly checks: readonly ListedCheck[];
  /** The `after` of the next page (its `before` in a search with `before`); null at the end. The next page may be empty. */
  readonly next: string | null;
  /** A page ends before it is full when little is found for long: all checks since then were searched. Null at the end. */
  readonly searched_back_to: string | null;
}

/** One check, with its labels and its rule version. */
export interface WholeCheck {
  readonly row: CheckRow;
  /** Given to the check itself, or to its person; the check's own comes first. */
  readonly labels: readonly RecordedLabel[];
  /** The version of the rule set that decided; null where none is on record. */
  readonly version: number | null;
}

export interface RecordedLabel {
  readonly of: 'check' | 'person';
  readonly label: Label;
  readonly source: string;
  readonly author: string | null;
  readonly labelled_at: string;
}

/** A slice of the hours that are over and not stored, counted, for the caller to store. The next call goes on after it. */
export interface CountedHours {
  readonly hours: readonly CheckHour[];
  /** Whether no hour is left to count. */
  readonly isDone: boolean;
}

/** The jobs of the process that reads records. Inputs and outputs are plain data: they travel between processes. */
export interface InsightsJobs {
  overview(asked: OfAccount & Range): Promise<Overview>;
  usage(asked: OfAccount & Range): Promise<Usage>;
  search(asked: CheckSearch): Promise<FoundChecks>;
  check(asked: OfAccount & { readonly id: string }): Promise<WholeCheck | null>;
  explain(asked: {
    readonly ruleSet: RuleSet;
    readonly known: CataloguedFacts;
    readonly facts: Facts;
  }): Promise<ExplainedDecision>;
  count(nothing: null): Promise<CountedHours>;
}
export type QuestionKind = Exclude<keyof InsightsJobs, 'count'>;
export type Ask<K extends QuestionKind> = JobInput<InsightsJobs, K>;
export type Answer<K extends QuestionKind> = JobOutput<InsightsJobs, K>;

/** Answers questions about recorded checks, beside the event loop that answers customers. */
export interface InsightsQueries {
  /**
   * Rejects with AppError `busy` when too many questions of this asker wait already, when an answer takes too long, and when the
   * process that reads ended; and with the signal's reason.
   */
  ask<K extends QuestionKind>(kind: K, question: Ask<K>, asking?: Asking): Promise<Answer<K>>;
  /** Aborts the questions under way; later ones are rejected. */
  close(): void;
}

export const INSIGHTS: InjectionToken<InsightsQueries> = Symbol('InsightsQueries');

/** One of the checks that a search is limited to. */
export interface KnownCheck {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** Ids in one SQL statement. */
const ASKED_AT_ONCE = 500;

/** A page of a search among the `known` checks only, which are given the newest first. Searches for some of them at a time. */
export async function searchAmong(
  known: readonly KnownCheck[],
  { after, before, limit, ...filter }: CheckSearch,
  search: (asked: CheckSearch) => Promise<FoundChecks>,
): Promise<FoundChecks> {
  const placed = known.map(({ id, createdAt }) => ({ id, place: `${createdAt}.${id}` }));
  // Places have one length, so they compare as texts.
  const left =
    before === undefined
      ? placed.filter(({ place }) => after === undefined || place < after)
      : placed.filter(({ place }) => place > before).reverse();
  const checks: ListedCheck[] = [];
  for (let from = 0; from < left.length; from += ASKED_AT_ONCE) {
    const ids = left.slice(from, from + ASKED_AT_ONCE).map(({ id }) => id);
    const found = (await search({ ...filter, ids, limit: ids.length })).checks;
    checks.push(...(before === undefined ? found : found.toReversed()));
    const last = checks[limit - 1];
    if (last === undefined || (checks.length === limit && from + ids.length >= left.length)) continue;
    const next = `${last.created_at}.${last.id}`;
    return { checks: checks.slice(0, limit), next, searched_back_to: last.created_at };
  }
  return { checks, next: null, searched_back_to: null };
}
