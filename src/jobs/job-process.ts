import { AppError, type AppErrorOptions, type ErrorCode } from '../errors.ts';
import { messageOf } from '../lib/thrown.ts';

/** What a runner sends to its process: the program first, then one job after the other. Plain data, cloned on the way. */
export type JobMessage =
  | { readonly program: string; readonly setup: unknown }
  | { readonly job: string; readonly input: unknown }
  /** The job under way is not wanted any more. The process still answers it. */
  | { readonly abort: true };

export type JobReply = { readonly output: unknown } | { readonly failure: JobFailure };

/** An error on its way between processes: an AppError keeps its code, any other nothing but its message. */
export interface JobFailure extends Pick<AppErrorOptions, 'details' | 'retryAfterMs'> {
  readonly message: string;
  readonly code?: ErrorCode;
  /** What the cause says, where there is one. */
  readonly cause?: string | undefined;
}

export interface JobContext {
  /** Aborted when nothing waits for the job any more. A job that does not end soon after is killed with its process. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens a program: an object whose methods are its jobs, each with one input. Where opening throws, the job fails and the next job tries again. */
export type JobProgram = (setup: never) => object | Promise<object>;

type Handlers = Readonly<Record<string, (input: unknown, context: JobContext) => unknown>>;

/** The child process's side of a `JobRunner`. It ignores signals to the process group: the service gets them too, and ends its children. */
export function serveJobs(programs: Readonly<Record<string, JobProgram>>): void {
  process.once('disconnect', () => process.exit());
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

  let open: () => Promise<Handlers> = () => Promise.reject(new Error('no program was asked for'));
  let opening: Promise<Handlers> | undefined;
  let underWay = new AbortController();

  process.on('message', async (message: JobMessage) => {
    if ('program' in message) {
      const program = programs[message.program];
      // The other end is typed: the setup is that of the program, and each input that of its job.
      open = async () => (await program?.(message.setup as never)) as Handlers;
    } else if ('abort' in message) underWay.abort();
    else {
      underWay = new AbortController();
      const reply = await answer(message.job, message.input, underWay.signal);
      // Send errors are ignored: the service was killed meanwhile, and `disconnect` ends this process.
      process.send?.(reply, undefined, undefined, () => undefined);
    }
  });

  async function answer(job: string, input: unknown, signal: AbortSignal): Promise<JobReply> {
    try {
      opening ??= open();
      const handlers = await opening.catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return { output: await handlers[job]?.(input, { signal }) };
    } catch (error) {
      return { failure: describeError(error) };
    }
  }
}

function describeError(error: unknown): JobFailure {
  if (!(error instanceof AppError)) return { message: messageOf(error) };
  const { message, code, details, retryAfterMs } = error;
  const cause = error.cause === undefined ? undefined : messageOf(error.cause);
  return { message, code, details, retryAfterMs, cause };
}
