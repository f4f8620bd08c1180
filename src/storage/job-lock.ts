import { Mutex } from '../lib/concurrency.ts';

/** Runs a job once at a time, whichever instance starts it: for jobs done for all instances that share a storage. */
export interface JobLock {
  /**
   * Waits until no other job of that name runs, then runs `job` and resolves to its result. The job must be idempotent: where its process
   * dies the lock is free again, and the job may be half done. Rejects, and does not begin the job, where `signal` is aborted before it
   * begins; an abort also ends the wait for other processes.
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
