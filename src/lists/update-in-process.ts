import type { Config } from '../app/config/config.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import type { ListEntry } from '../provider-kit/index.ts';
import type { ListUpdate } from './update-list.ts';

export type ListUpdateSetup = Pick<Config, 'dataDir' | 'storage' | 'dns' | 'lists'>;

export interface ListUpdateOrder {
  readonly url: string;
  /** The entries of `allow.yaml` that are in force. */
  readonly allowed: readonly ListEntry[];
  /** A person has looked at what was refused and takes it. */
  readonly accepted?: boolean;
}

export interface ListJobs {
  update(order: ListUpdateOrder): Promise<ListUpdate>;
}

/**
 * `updateList` in a process of its own: to read, judge and write a list of 100,000 domains takes a second, for which requests would
 * wait. Rejects when the update does, and with the signal's reason, where the process is killed at once.
 */
export async function updateInProcess(
  order: ListUpdateOrder,
  setup: ListUpdateSetup,
  signal: AbortSignal,
): Promise<ListUpdate> {
  signal.throwIfAborted();
  const runner = new JobRunner<ListJobs>({
    program: 'lists',
    setup,
    does: 'updates a list',
    undone: 'the list was not updated',
    idleMs: 0,
    patienceMs: 0,
  });
  try {
    return await runner.run('update', order, { signal });
  } finally {
    runner.end();
  }
}
