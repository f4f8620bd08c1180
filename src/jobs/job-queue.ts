import { AppError, type ErrorCode } from '../errors.ts';
import { FairQueue } from '../lib/concurrency.ts';
import type { JobContext } from './job-process.ts';
import {
  type JobInput,
  type JobOutput,
  JobProcessEnded,
  JobRunner,
  type JobRunnerOptions,
  type JobsOf,
  JobTimeout,
} from './job-runner.ts';

export interface JobQueueOptions extends JobRunnerOptions {
  /** Jobs that may wait per asker, beside the one that is running. */
  readonly mostWaiting: number;
  /** The error code for a job that takes too long: `busy`, unless another try would take as long. */
  readonly tooLong?: ErrorCode;
}

export interface Asking extends JobContext {
  /** A person's id; jobs for no person in particular take turns with those of persons. */
  readonly asker?: string | undefined;
}

const RETRY_MS = 2_000;

/** Refused for a moment; the message is public. */
export function busy(message: string, cause?: unknown): AppError {
  return new AppError('busy', { details: [{ message }], cause, retryAfterMs: RETRY_MS });
}

/** Runs jobs in one process, one at a time and fairly: an asker's next job waits for the running job and at most one of each other asker. */
export class JobQueue<Jobs extends JobsOf<Jobs>> {
  readonly #runner: JobRunner<Jobs>;
  readonly #waiting = new FairQueue(1);
  readonly #closing = new AbortController();

  constructor(private readonly options: JobQueueOptions) {
    this.#runner = new JobRunner(options);
  }

  /**
   * Rejects with AppError `busy` where this asker has too many jobs waiting or the process ended, with `tooLong` of the options, with what
   * the job threw, and at once with the reason of an aborted `signal`.
   */
  async run<Name extends keyof Jobs & string>(
    job: Name,
    input: JobInput<Jobs, Name>,
    { asker = '', signal }: Asking = {},
  ): Promise<JobOutput<Jobs, Name>> {
    const closing = this.#closing.signal;
    const ends = signal ? AbortSignal.any([signal, closing]) : closing;
    ends.throwIfAborted();
    if (this.#waiting.countOf(asker) >= this.options.mostWaiting) {
      throw busy('too much that you asked for waits already');
    }
    try {
      return await this.#waiting.run(asker, () => this.#runner.run(job, input, { signal }), ends);
    } catch (error) {
      throw this.#translate(error);
    }
  }

  /** Final: waiting jobs are rejected, and no process is started that would outlive this one. */
  close(): void {
    this.#closing.abort(new Error(`the queue for the process that ${this.options.does} is closed`));
    this.#runner.end();
  }

  #translate(error: unknown): unknown {
    if (error instanceof JobProcessEnded) return busy(error.message, error);
    if (!(error instanceof JobTimeout)) return error;
    const { tooLong = 'busy' } = this.options;
    if (tooLong === 'busy') return busy(error.message, error);
    return new AppError(tooLong, { details: [{ message: error.message }], cause: error });
  }
}
