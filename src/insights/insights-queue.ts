import { type Asking, JobQueue } from '../jobs/job-queue.ts';
import type { JobRunnerOptions } from '../jobs/job-runner.ts';
import { unrefInterval } from '../lib/time.ts';
import type { Logger } from '../observability/logger.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { JobLock } from '../storage/job-lock.ts';
import type { CheckHourStore } from '../storage/ports.ts';
import { firstUnsettled, type Hour } from './hours.ts';
import type { Answer, Ask, InsightsJobs, InsightsQueries, QuestionKind } from './insights-queries.ts';
import type { ProviderOfFact } from './tally.ts';

/** What a process that reads records is opened with. */
export interface InsightsSetup {
  /** The database, as `readingUrl` has it; it is only read. */
  readonly url: string;
  readonly providerOf: ProviderOfFact;
}

export interface InsightsQueueOptions
  extends InsightsSetup,
    Partial<Pick<JobRunnerOptions, 'entry' | 'limitMs' | 'idleMs'>> {
  readonly hours: CheckHourStore;
  readonly jobLock: JobLock;
  readonly log: Logger;
}

/** Questions that may wait per person, beside the one that is running: a page asks two at most. */
export const MOST_WAITING = 4;
/** Figures of a million checks take half a second. */
const LIMIT_MS = 30_000;
/** A live page asks every few seconds; the process holds 60 MB. */
const IDLE_MS = 60_000;
/** How often to look whether an hour has ended. */
const LOOK_MS = 10_000;

/** Answers questions in a child process, one at a time, fairly between people. In between, the process counts ended hours, slice by slice. */
export class InsightsQueue implements InsightsQueries {
  readonly #jobs: JobQueue<InsightsJobs>;
  #counting: Promise<void> | undefined;
  #stopLooking: (() => void) | undefined;
  readonly #closing = new AbortController();

  constructor(private readonly options: InsightsQueueOptions) {
    const { url, providerOf, limitMs = LIMIT_MS, idleMs = IDLE_MS, entry } = options;
    this.#jobs = new JobQueue({
      program: 'insights',
      setup: { url, providerOf } satisfies InsightsSetup,
      does: 'reads records',
      undone: 'records were not read',
      limitMs,
      idleMs,
      ...(entry && { entry }),
      mostWaiting: MOST_WAITING,
    });
  }

  async ask<K extends QuestionKind>(kind: K, question: Ask<K>, asking: Asking = {}): Promise<Answer<K>> {
    const answer = await this.#jobs.run(kind, question, asking);
    const { counted_share: share = 1 } = (answer ?? {}) as { readonly counted_share?: number };
    if (share < 1) void this.countHours();
    return answer;
  }

  /** Counts hours from now on: at the first look all that have ended, then each as it ends. */
  begin(clock: Clock, every: (intervalMs: number, run: () => void) => () => void = unrefInterval): void {
    let countedUpTo: Hour = '';
    this.#stopLooking = every(LOOK_MS, () => {
      const hour = firstUnsettled(clock.now());
      if (hour === countedUpTo) return;
      countedUpTo = hour;
      void this.countHours();
    });
  }

  /**
   * Counts and stores the hours that are over and not stored yet. One instance at a time does it; the next one finds nothing left. Never
   * rejects: hours that could not be counted are counted the next time.
   */
  countHours(): Promise<void> {
    this.#counting ??= this.#countAlone().finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  close(): void {
    this.#closing.abort();
    this.#stopLooking?.();
    this.#jobs.close();
  }

  async #countAlone(): Promise<void> {
    const { signal } = this.#closing;
    try {
      await this.options.jobLock.runExclusive('hours', () => this.#countHours(), signal);
    } catch (err) {
      if (!signal.aborted)
        this.options.log.warn({ err }, 'hours not counted: the dashboard shows what is counted');
    }
  }

  async #countHours(): Promise<void> {
    for (let isDone = false; !isDone; ) {
      const counted = await this.#jobs.run('count', null, { asker: 'hours' });
      if (counted.hours.length > 0) await this.options.hours.keep(counted.hours);
      isDone = counted.isDone;
    }
  }
}
