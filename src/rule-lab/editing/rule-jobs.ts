import type { RulesInForce } from '../../checks/active-policy.ts';
import type { FailingTest } from '../../checks/rule-judge.ts';
import type { RuleSource } from '../../checks/rule-source.ts';
import type { RulesReloader } from '../../checks/rules-reloader.ts';
import type { Asking } from '../../jobs/job-queue.ts';
import type { EntrySearch, FoundListed, NamedListSummary } from '../../lists/named-lists.ts';
import type { NewNamedList } from '../../lists/new-named-list.ts';
import type { FoundEntries, ListEdit, ListText } from '../../lists/own-lists.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { FileChange } from '../../rules/compare-files.ts';
import type { Change } from '../../rules/diff-rules.ts';
import type { Problem } from '../../rules/problem.ts';
import type { DegradedBreach } from '../../rules/prove-degraded.ts';
import type { RuleFiles } from '../../rules/rule-files.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { RuleDraftStore, RuleVersionStore } from '../../storage/rule-ports.ts';
import type { ShadowReport } from '../shadow/run-shadow.ts';
import type { ShadowRuleReport } from '../shadow/tallies.ts';
import type { ListEffect, ListEffectOrder } from './list-effect.ts';
import type { FlipsAnswer } from './list-flips.ts';
import type { Merged, MergeOrder } from './merge-rules.ts';
import type { Replay } from './replay.ts';

/** What the tests of rules come to. Plain data: it travels between processes. */
export interface RuleTests {
  /** Errors of lint. With one of them no test was run. */
  readonly problems: readonly Problem[];
  readonly passed: number;
  readonly failing: readonly FailingTest[];
  /** Where a group would count more for want of an answer. */
  readonly breaches: readonly DegradedBreach[];
  /** The hash that the rules would have in force; null with an error. */
  readonly hash: string | null;
}

export interface ReplayOrder {
  /** The rules in force. */
  readonly base: RuleFiles;
  readonly candidate: RuleFiles;
  /** How many days of records, counted back from now. */
  readonly days: number;
  /** How many bad signups let in cost as much as one good one turned away. */
  readonly costRatio: number;
}

interface ComparisonOrder {
  readonly before: RuleFiles;
  readonly after: RuleFiles;
}

interface Comparison {
  readonly files: readonly FileChange[];
  /** What `patch -p1` takes. */
  readonly patch: string;
  /** What means something else, what decides first; null where one of the sides has errors, so that it cannot be told. */
  readonly changes: readonly Change[] | null;
  /** The sides that lint would refuse now: providers may have changed since. */
  readonly faulty: readonly (keyof ComparisonOrder)[];
}

/** What came of shadow rules on live traffic, and what each makes of the checks on record. */
export interface ShadowBoard extends ShadowReport {
  readonly replayed: readonly ShadowRuleReport[];
}

export type FlipsOrder = Omit<ReplayOrder, 'costRatio'>;

/** What either set made of the records, or the errors that keep the candidate from being asked. */
export type ReplayAnswer = { readonly replay: Replay } | { readonly problems: readonly Problem[] };

/**
 * All of the work on rules that takes longer than the loop that answers requests may be held up for. Files are those of a whole
 * directory, and problems name them by their paths in it. What it is asked rejects when it cannot be done, which says nothing about
 * the rules: with AppError `busy` when that may be over soon, and `rules_too_large` when lint takes too long.
 */
export interface RuleJobs {
  /** Every problem, warnings too. */
  lint(files: RuleFiles, asking?: Asking): Promise<readonly Problem[]>;
  test(files: RuleFiles, asking?: Asking): Promise<RuleTests>;
  replay(order: ReplayOrder, asking?: Asking): Promise<ReplayAnswer>;
  /** Every check of a replay that flips. */
  flips(order: FlipsOrder, asking?: Asking): Promise<FlipsAnswer>;
  /** `files` are the rules in force. */
  shadow(order: { readonly files: RuleFiles; readonly days: number }, asking?: Asking): Promise<ShadowBoard>;
  compare(order: ComparisonOrder, asking?: Asking): Promise<Comparison>;
  /** The patch alone, of files that may have any mistake. */
  patch(order: ComparisonOrder, asking?: Asking): Promise<string>;
  merge(order: MergeOrder, asking?: Asking): Promise<Merged>;
  readList(list: ListText, asking?: Asking): Promise<FoundEntries>;
  /** The text with the change in it. Rejects with AppError `invalid_request` when it cannot be made. */
  editList(edit: ListEdit, asking?: Asking): Promise<string>;
  /** The text of a new list. Rejects with AppError `invalid_request` where lint would refuse it. */
  writeNamedList(list: NewNamedList, asking?: Asking): Promise<string>;
  /** The named lists among rules, and which rules read each. */
  namedLists(files: RuleFiles, asking?: Asking): Promise<readonly NamedListSummary[]>;
  findInList(search: EntrySearch, asking?: Asking): Promise<FoundListed>;
  /** What another list of this name would have made of recorded checks. Rejects with AppError `rules_refused` where it has errors. */
  namedListEffect(order: FlipsOrder & { readonly name: string }, asking?: Asking): Promise<ListEffect>;
  /** What other lists would have made of recorded checks. Both sides must be without errors. */
  listEffect(order: ListEffectOrder, asking?: Asking): Promise<ListEffect>;
  close(): void;
}

export interface RuleEditingParts {
  readonly source: RuleSource;
  readonly catalogue: FactCatalogue;
  readonly jobs: RuleJobs;
  readonly store: RuleDraftStore;
  readonly versions: RuleVersionStore;
  readonly reloader: Pick<RulesReloader, 'changed' | 'idle' | 'complaint'>;
  readonly inForce: () => RulesInForce;
  /** What `rules.challenger_dir` tries on live traffic; null for nothing. */
  readonly challenger: () => RulesInForce | null;
  readonly clock: Clock;
}
