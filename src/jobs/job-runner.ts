import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '../errors.ts';
import { moduleBeside } from '../lib/paths.ts';
import type { JobContext, JobFailure, JobMessage, JobReply } from './job-process.ts';

/** The jobs of a program: methods of one input. Inputs and outputs are plain data, cloned on their way. */
export type JobsOf<Jobs> = { readonly [Name in keyof Jobs]: (input: never, context: JobContext) => unknown };
export type JobInput<Jobs extends JobsOf<Jobs>, Name extends keyof Jobs> = Parameters<Jobs[Name]>[0];
export type JobOutput<Jobs extends JobsOf<Jobs>, Name extends keyof Jobs> = Awaited<ReturnType<Jobs[Name]>>;

export interface JobRunnerOptions {
  /** One of the programs of `src/app/job.process.ts`. */
  readonly program: string;
  /** What the program is opened with, once in each process. Plain data. */
  readonly setup: unknown;
  /** For messages: what the process does, `judges rules`, and what was not done in time, `the rules were not judged`. */
  readonly does: string;
  readonly undone: string;
  /** For one job; without it there is no limit. */
  readonly limitMs?: number;
  /** An idle process is ended after this. */
  readonly idleMs: number;
  /** How long a job that is not wanted any more may take to end before its process is killed. */
  readonly patienceMs?: number;
  /** Arguments of node, such as a bound of its heap. */
  readonly execArgv?: readonly string[];
  /** Another entry file, for tests of a process that fails. */
  readonly entry?: URL;
}

/** The process ended before it answered: it was killed, ran out of memory, or has a bug. Or it could not be started. */
export class JobProcessEnded extends Error {
  override readonly name = 'JobProcessEnded';
}

/** The job took longer than its limit; its process was killed. */
export class JobTimeout extends Error {
  override readonly name = 'JobTimeout';
}

const ENTRY = moduleBeside('../app/job.process', import.meta.url);
/** About as long as it takes to start another process. */
const PATIENCE_MS = 1_000;

/**
 * Runs one job at a time in a process of its own, so that long work holds up no request and what fails there ends nothing else. The
 * process is started for the first job, kept for the next ones, ended when idle, and killed when a job takes too long; the job after
 * that starts another. A process and not a worker thread: only a process can be killed in the midst of a query, and node 24.21 was
 * seen to end as a whole when a worker ended under load ("Check failed: jit_page.has_value()", nodejs/node#64500).
 */
export class JobRunner<Jobs extends JobsOf<Jobs>> {
  readonly #options: JobRunnerOptions;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  /**
   * Call again only once the last call has settled, as `JobQueue` does. Rejects with what the job threw, with JobTimeout, with JobProcessEnded,
   * and with the signal's reason where an aborted job did not end in time; an aborted job that ends in time settles as usual.
   */
  async run<Name extends keyof Jobs & string>(
    job: Name,
    input: JobInput<Jobs, Name>,
    { signal }: JobContext = {},
  ): Promise<JobOutput<Jobs, Name>> {
    const { does, undone, limitMs, idleMs, patienceMs = PATIENCE_MS } = this.#options;
    clearTimeout(this.#idle);
    const child = this.#child ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<JobReply>();
    const ended = (code: number | null, killedBy: string | null) =>
      reject(
        new JobProcessEnded(`the process that ${does} ended with ${code ?? killedBy} before it answered`),
      );
    const failed = (cause: Error) =>
      reject(new JobProcessEnded(`the process that ${does} cannot be reached: ${cause.message}`, { cause }));
    const kill = (reason: unknown) => {
      reject(reason);
      this.end();
    };
    let limit: NodeJS.Timeout | undefined;
    const abort = () => {
      if (child.connected) child.send({ abort: true } satisfies JobMessage, () => undefined);
      clearTimeout(limit);
      limit = setTimeout(() => kill(signal?.reason), Math.min(patienceMs, limitMs ?? patienceMs));
    };
    try {
      if (limitMs !== undefined) {
        limit = setTimeout(() => kill(new JobTimeout(`${undone} within ${limitMs / 1_000} s`)), limitMs);
      }
      signal?.addEventListener('abort', abort, { once: true });
      child.once('message', resolve).once('error', failed).once('exit', ended);
      child.channel?.ref();
      if (isStarted(child))
        child.send({ job, input } satisfies JobMessage, (error) => error && failed(error));
      if (signal?.aborted) abort();
      const reply = await promise;
      if ('failure' in reply) throw errorOf(reply.failure);
      // The program is typed: what it answers to a job is that job's.
      return reply.output as JobOutput<Jobs, Name>;
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', abort);
      child.channel?.unref();
      child.off('message', resolve).off('error', failed).off('exit', ended);
      this.#idle = setTimeout(() => this.end(), idleMs).unref();
    }
  }

  /** Kills the process at once, whatever it is doing. */
  end(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
  }

  /** The child is unreferenced: an idle child must not keep this process alive. `execArgv` is set so that it does not inherit this heap's limits. */
  #start(): ChildProcess {
    const { program, setup, execArgv = [], entry = ENTRY } = this.#options;
    const child = fork(fileURLToPath(entry), {
      execArgv: [...execArgv],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    this.#child = child;
    const forget = () => {
      if (this.#child === child) this.#child = undefined;
    };
    // A child that could not be started never exits. A child that has closed the channel will never answer.
    child.on('exit', forget).on('error', forget);
    child.once('disconnect', () => child.kill('SIGKILL'));
    if (isStarted(child)) child.send({ program, setup } satisfies JobMessage, () => undefined);
    return child;
  }
}

/** False where the machine has no process or no file descriptor left: then there may be no channel either, and `error` says why. */
function isStarted(child: ChildProcess): boolean {
  return child.pid !== undefined;
}

function errorOf({ message, code, cause: reason, ...options }: JobFailure): Error {
  if (code === undefined) return new Error(message);
  const cause = reason === undefined ? undefined : new Error(reason);
  return new AppError(code, { ...options, message, cause });
}
