import type { RuleProcessOptions } from '../../checks/rule-judge.ts';
import type { ErrorCode } from '../../errors.ts';
import { JobQueue } from '../../jobs/job-queue.ts';
import type { RuleJobs } from './rule-jobs.ts';

/** Of one asker, beside the job that is running: a page with its figures asks for three things at once. */
export const MOST_WAITING = 8;
/** Kept while a person works with it, then ended: with the records in it, one holds some 400 MB. */
const WHILE_WORKING_MS = 300_000;
const FOR_A_MOMENT_MS = 30_000;
/** 100,000 checks are 70 MB of it, and large rule sets more. A process that would take all the memory ends instead. */
const HEAP = '--max-old-space-size=768';

/** A process each, since in one process what is short would wait for what is long. */
const QUEUES = {
  /** As a person types: the shipped rules take 0.1 s. */
  lint: { limitMs: 10_000, idleMs: WHILE_WORKING_MS, tooLong: 'rules_too_large' },
  /** The same rules with their tests, or twice; lists of 10,000 entries take seconds. */
  texts: { limitMs: 30_000, idleMs: FOR_A_MOMENT_MS, tooLong: 'busy' },
  /** To read the records takes a second, to judge them half of one. */
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
      ...{ program: 'rules', setup, does: 'works on rules', undone: 'the rules were not worked out' },
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
