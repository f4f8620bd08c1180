import { Mutex } from '../lib/concurrency.ts';

/** Has a job run once at a time, wherever it is started: what is done for all instances that share a storage. */
export interface JobLock {
  /**
   * Does `job` when no other job of that name is running, and answers what it answers; waits until then. The job must be idempotent:
   * one whose holder dies may be half done, and its lock is free again. Rejects, and does not begin, where `signal` is aborted before
   * that; no other process is waited for any longer then.
   */
  runExclusive<Result>(name: string, job: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

/** For the one process that serves a data directory. */
export class MutexJobLock implements JobLock {
  readonly #locks = new Map<string, Mutex>();

  runExclusive<Result>(name: string, job: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const lock = this.#locks.get(name) ?? new Mutex();
    this.#locks.set(name, lock);
    return lock.run(async () => {
      signal?.throwIfAborted();
      return job();
    });
  }
}
