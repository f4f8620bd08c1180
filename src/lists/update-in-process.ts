import type { Config } from '../app/config/config.ts';
import { type JobOutput, JobRunner } from '../jobs/job-runner.ts';
import type { ListEntry } from '../provider-kit/index.ts';
import type { ListPreview, ListUpdate, LookedAt } from './update-list.ts';

export type ListUpdateSetup = Pick<Config, 'dataDir' | 'storage' | 'dns' | 'lists'>;

export interface ListUpdateOrder extends LookedAt {
  readonly url: string;
  /** The entries of `allow.yaml` that are in force. */
  readonly allowed: readonly ListEntry[];
}

export interface ListJobs {
  update(order: ListUpdateOrder): Promise<ListUpdate>;
  /** What an update would put in force; nothing is stored. */
  preview(order: ListUpdateOrder): Promise<ListPreview>;
}

/** A download takes a minute at most, and a list of 100,000 domains a second: one stuck list must not delay the others. */
const LIMIT_MS = 5 * 60_000;

/**
 * Runs `updateList` or `previewList` in a process of its own: to read, judge and write a list of 100,000 domains takes a second, for
 * which requests would wait. Rejects when the job does, and with the signal's reason: then the process is killed at once.
 */
export async function inProcess<Job extends keyof ListJobs>(
  job: Job,
  order: ListUpdateOrder,
  setup: ListUpdateSetup,
  signal: AbortSignal,
): Promise<JobOutput<ListJobs, Job>> {
  signal.throwIfAborted();
  const runner = new JobRunner<ListJobs>({
    program: 'lists',
    setup,
    does: 'updates a list',
    undone: 'the list was not updated',
    limitMs: LIMIT_MS,
    idleMs: 0,
    patienceMs: 0,
  });
  try {
    return await runner.run(job, order, { signal });
  } finally {
    runner.end();
  }
}
