import type { RulesInForce } from '../../checks/active-policy.ts';
import type { Judgement, RuleProcessOptions } from '../../checks/rule-judge.ts';
import type { RuleSource } from '../../checks/rule-source.ts';
import type { RulesReloader } from '../../checks/rules-reloader.ts';
import type { ErrorCode } from '../../errors.ts';
import { type Asking, JobQueue } from '../../jobs/job-queue.ts';
import type { NewNamedList } from '../../lists/named-list-file.ts';
import type { EntrySearch, FoundListed, NamedListSummary } from '../../lists/named-lists.ts';
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
import type { Flip } from './list-flips.ts';
import type { Merged, MergeOrder } from './merge-rules.ts';
import type { Replay } from './replay.ts';

/** What the tests of rules come to. Plain data: it travels between processes. */
export interface RuleTests extends Omit<Judgement, 'definitions'> {
  /** Groups that would count more when an answer is missing. */
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
  /** Changes of meaning, those that affect decisions first; null where a side has errors, so that they cannot be told. */
  readonly changes: readonly Change[] | null;
  /** The sides that lint would refuse now: providers may have changed since. */
  readonly faulty: readonly (keyof ComparisonOrder)[];
}

/** What came of shadow rules on live traffic, and what each makes of the checks on record. */
interface ShadowBoard extends ShadowReport {
  readonly replayed: readonly ShadowRuleReport[];
}

export type FlipsOrder = Omit<ReplayOrder, 'costRatio'>;

/** The outcomes of both sets on the records, or the errors of the candidate, which is then not judged. */
export type ReplayAnswer = { readonly replay: Replay } | { readonly problems: readonly Problem[] };

/**
 * All work on rules that takes too long for the event loop that answers requests. Files are those of a whole directory, and problems name
 * them by their paths in it. A job that cannot be done rejects, which says nothing about the rules: with AppError `busy` when the cause may
 * be over soon, and `rules_too_large` when lint takes too long.
 */
export interface RuleJobs {
  /** Every problem, warnings too. */
  lint(files: RuleFiles, asking?: Asking): Promise<readonly Problem[]>;
  test(files: RuleFiles, asking?: Asking): Promise<RuleTests>;
  replay(order: ReplayOrder, asking?: Asking): Promise<ReplayAnswer>;
  /** Every check of a replay that flips, the newest first. Rejects with AppError `rules_refused` where the candidate has errors. */
  flips(order: FlipsOrder, asking?: Asking): Promise<readonly Flip[]>;
  /** `files` are the rules in force. */
  shadow(order: { readonly files: RuleFiles; readonly days: number }, asking?: Asking): Promise<ShadowBoard>;
  compare(order: ComparisonOrder, asking?: Asking): Promise<Comparison>;
  /** Only the patch; the files may have any mistake. */
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
  /** The rules of `rules.challenger_dir`, tried on live traffic; null for none. */
  readonly challenger: () => RulesInForce | null;
  readonly clock: Clock;
}

/** Jobs that may wait per asker, beside the one that is running: a page with its figures asks for three things at once. */
export const MOST_WAITING = 8;
/** How long an idle process is kept for a person at work, then ended: with the records in it, it holds some 400 MB. */
const WHILE_WORKING_MS = 300_000;
const FOR_A_MOMENT_MS = 30_000;
/** 100,000 checks are 70 MB of it, and large rule sets more. A process that would take all the memory ends instead. */
const HEAP = '--max-old-space-size=768';

/** One process each: in a shared process, short jobs would wait for long ones. */
const QUEUES = {
  /** As a person types: the shipped rules take 0.1 s. */
  lint: { limitMs: 10_000, idleMs: WHILE_WORKING_MS, tooLong: 'rules_too_large' },
  /** The same rules with their tests, or twice; lists of 10,000 entries take seconds. */
  texts: { limitMs: 30_000, idleMs: FOR_A_MOMENT_MS, tooLong: 'busy' },
  /** Reading the records takes a second, judging them half a second. */
  replays: { limitMs: 30_000, idleMs: WHILE_WORKING_MS, tooLong: 'busy' },
  /** Reads all records of the days that are asked for. */
  shadow: { limitMs: 60_000, idleMs: FOR_A_MOMENT_MS, tooLong: 'busy' },
} as const satisfies Record<string, { limitMs: number; idleMs: number; tooLong: ErrorCode }>;

type RuleJob = Exclude<keyof RuleJobs, 'close'>;
type Queue = JobQueue<Pick<RuleJobs, RuleJob>>;

/** Works on rules in processes of their own, so that no request waits and what fails there ends nothing else. */
export function queueRuleJobs({ entry, limitMs, ...setup }: RuleProcessOptions): RuleJobs {
  const open = (name: keyof typeof QUEUES): Queue =>
    new JobQueue({
      program: 'rules',
      setup,
      does: 'works on rules',
      undone: 'the rules were not worked out',
      ...QUEUES[name],
      ...(limitMs !== undefined && { limitMs }),
      ...(entry && { entry }),
      execArgv: [HEAP],
      mostWaiting: MOST_WAITING,
    });
  const [lint, texts, replays, shadow] = [open('lint'), open('texts'), open('replays'), open('shadow')];
  return {
    lint: (files, asking) => lint.run('lint', files, asking),
    test: (files, asking) => texts.run('test', files, asking),
    compare: (order, asking) => texts.run('compare', order, asking),
    patch: (order, asking) => texts.run('patch', order, asking),
    merge: (order, asking) => texts.run('merge', order, asking),
    readList: (list, asking) => texts.run('readList', list, asking),
    editList: (edit, asking) => texts.run('editList', edit, asking),
    writeNamedList: (list, asking) => texts.run('writeNamedList', list, asking),
    namedLists: (files, asking) => texts.run('namedLists', files, asking),
    findInList: (search, asking) => texts.run('findInList', search, asking),
    namedListEffect: (order, asking) => replays.run('namedListEffect', order, asking),
    listEffect: (order, asking) => replays.run('listEffect', order, asking),
    flips: (order, asking) => replays.run('flips', order, asking),
    replay: (order, asking) => replays.run('replay', order, asking),
    shadow: (order, asking) => shadow.run('shadow', order, asking),
    close: () => {
      for (const queue of [lint, texts, replays, shadow]) queue.close();
    },
  };
}
