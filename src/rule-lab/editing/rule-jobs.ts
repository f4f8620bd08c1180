import type { RulesInForce } from '../../checks/active-policy.ts';
import type { RuleProcessOptions } from '../../checks/rule-judge.ts';
import type { RuleSource } from '../../checks/rule-source.ts';
import type { RulesReloader } from '../../checks/rules-reloader.ts';
import type { ErrorCode } from '../../errors.ts';
import { type Asking, JobQueue } from '../../jobs/job-queue.ts';
import type { Clock } from '../../provider-kit/index.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { RuleDraftStore, RuleVersionStore } from '../../storage/rule-ports.ts';
import type { openRuleJobs } from './in-process-rule-jobs.ts';

type InProcess = ReturnType<typeof openRuleJobs>;
type RuleJob = Exclude<keyof InProcess, 'judge' | 'close'>;

/**
 * All work on rules that takes too long for the event loop that answers requests. Files are those of a whole directory, and problems name
 * them by their paths in it. A job that cannot be done rejects, which says nothing about the rules: with AppError `busy` when the cause may
 * be over soon, and `rules_too_large` when lint takes too long.
 */
export type RuleJobs = {
  readonly [Job in RuleJob]: (
    order: Parameters<InProcess[Job]>[0],
    asking?: Asking,
  ) => ReturnType<InProcess[Job]>;
} & { close(): void };

export type RuleTests = Awaited<ReturnType<RuleJobs['test']>>;

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
  /** The hash that records hold of a canonical address. */
  readonly hashAddress: (canonicalAddress: string) => string;
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

type Queue = JobQueue<Pick<InProcess, RuleJob>>;

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
