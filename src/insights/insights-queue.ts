import { busy, JobQueue } from '../jobs/job-queue.ts';
import type { JobRunnerOptions } from '../jobs/job-runner.ts';
import type { Logger } from '../observability/logger.ts';
import type { CheckHour, CheckHourStore } from '../storage/ports.ts';
import type { Answer, Ask, Asker, InsightsJobs, InsightsQueries, QuestionKind } from './insights-queries.ts';
import type { ProviderOfFact } from './tally.ts';

/** What a process that reads records is opened with. */
export interface InsightsSetup {
  /** The database, opened read-only. */
  readonly file: string;
  readonly providerOf: ProviderOfFact;
}

export interface InsightsQueueOptions
  extends InsightsSetup,
    Partial<Pick<JobRunnerOptions, 'entry' | 'limitMs' | 'idleMs'>> {
  readonly hours: CheckHourStore;
  readonly log: Logger;
}

/** Of one person, beside the question that is being read: a page asks two at the most. */
export const MOST_WAITING = 4;
/** Figures of a million checks take half a second, and counting two more. */
const LIMIT_MS = 30_000;
/** A live page asks every few seconds; the process holds 60 MB. */
const IDLE_MS = 60_000;

/** Has questions answered by a child process, one at a time and fairly between people, and stores the hours that it counted for them. */
export class InsightsQueue implements InsightsQueries {
  readonly #hours: CheckHourStore;
  readonly #log: Logger;
  readonly #jobs: JobQueue<InsightsJobs>;

  constructor({ hours, log, file, providerOf, entry, limitMs, idleMs }: InsightsQueueOptions) {
    this.#hours = hours;
    this.#log = log;
    this.#jobs = new JobQueue({
      program: 'insights',
      setup: { file, providerOf } satisfies InsightsSetup,
      does: 'reads records',
      undone: 'records were not read',
      limitMs: limitMs ?? LIMIT_MS,
      idleMs: idleMs ?? IDLE_MS,
      mostWaiting: MOST_WAITING,
      ...(entry && { entry }),
    });
  }

  /** Of the process that reads; undefined while there is none. */
  get pid(): number | undefined {
    return this.#jobs.pid;
  }

  async ask<K extends QuestionKind>(
    kind: K,
    question: Ask<K>,
    { personId, goesOn = false, signal }: Asker = {},
  ): Promise<Answer<K>> {
    const asking = { asker: goesOn ? `${personId} goes on` : personId, ...(signal && { signal }) };
    for (;;) {
      const { answer, counted } = await this.#jobs.run('answer', { kind, question }, asking);
      const isStored = await this.#store(counted);
      // What is answered to a kind of question is of that kind.
      if (answer !== undefined) return answer as Answer<K>;
      // The next reading would count the same hours, and come no further.
      if (!isStored) throw busy('what was counted could not be stored');
    }
  }

  close(): void {
    this.#jobs.close();
  }

  /** False where they cannot be stored: they are counted again for the next question. */
  async #store(hours: readonly CheckHour[]): Promise<boolean> {
    try {
      if (hours.length > 0) await this.#hours.keep(hours);
      return true;
    } catch (err) {
      this.#log.warn({ err, hours: hours.length }, 'counts of hours not stored');
      return false;
    }
  }
}
