import type { ChildProcess } from 'node:child_process';
import { startChildProgram } from './child-program.ts';

export interface DialogueOptions {
  readonly program: URL;
  /** Arguments of node, such as a bound of its heap. */
  readonly execArgv?: readonly string[];
  /** Sent first, once to each process. */
  readonly opening: object;
  /** What the process does, for the error when it falls: `judges rules`. */
  readonly does: string;
  readonly limitMs: number;
  /** Why an answer that is not there within the limit never comes. */
  readonly tooLate: () => Error;
  /** A process that nobody has asked for so long is ended. */
  readonly idleMs: number;
}

export interface AskOptions {
  /** Tells the program, by a `GiveUp`, that nobody waits; one that does not end soon after is killed. */
  readonly signal?: AbortSignal | undefined;
}

export interface GiveUp {
  readonly giveUp: true;
}

/** The process ended before it answered: it was killed, ran out of memory, or has a bug. Or it could not be started. */
export class ChildExited extends Error {
  override readonly name = 'ChildExited';
}

/** To start another process takes about as long. */
const PATIENCE_MS = 1_000;

/**
 * This end of a program of ours that answers one order after the other: started for the first order, ended when none has come for
 * a while, killed when an answer takes too long. The order after that begins a new process.
 */
export class ChildDialogue<Order extends object, Reply> {
  readonly #options: DialogueOptions;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: DialogueOptions) {
    this.#options = options;
  }

  /** Undefined while nobody asks. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * To be called again only once this has settled. Rejects with `tooLate`, with ChildExited, and with the signal's reason where the
   * program did not end in time; where it did, its answer is the answer.
   */
  async ask(order: Order, { signal }: AskOptions = {}): Promise<Reply> {
    const { does, limitMs, tooLate, idleMs } = this.#options;
    clearTimeout(this.#idle);
    const child = this.#child ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const ended = (code: number | null, killedBy: string | null) =>
      reject(new ChildExited(`the process that ${does} ended with ${code ?? killedBy} before it answered`));
    const failed = (cause: Error) =>
      reject(new ChildExited(`the process that ${does} cannot be reached: ${cause.message}`, { cause }));
    const breakOff = (reason: unknown) => {
      reject(reason);
      this.end();
    };
    let limit: NodeJS.Timeout | undefined;
    const giveUp = () => {
      if (child.connected) child.send({ giveUp: true } satisfies GiveUp, () => undefined);
      clearTimeout(limit);
      limit = setTimeout(() => breakOff(signal?.reason), Math.min(PATIENCE_MS, limitMs));
    };
    try {
      limit = setTimeout(() => breakOff(tooLate()), limitMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      child.once('message', resolve).once('error', failed).once('exit', ended);
      child.channel?.ref();
      if (isStarted(child)) child.send(order, (error) => error && failed(error));
      if (signal?.aborted) giveUp();
      return await promise;
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', giveUp);
      child.channel?.unref();
      child.off('message', resolve).off('error', failed).off('exit', ended);
      this.#idle = setTimeout(() => this.end(), idleMs).unref();
    }
  }

  /** At once, whatever it is at. */
  end(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const { program, execArgv, opening } = this.#options;
    const child = startChildProgram(program, execArgv);
    this.#child = child;
    const forget = () => {
      if (this.#child === child) this.#child = undefined;
    };
    // One that could not be started never exits; one that has closed the channel will never answer.
    child.once('exit', forget).once('error', forget);
    child.once('disconnect', () => child.kill('SIGKILL'));
    if (isStarted(child)) child.send(opening, () => undefined);
    return child;
  }
}

/** False where the machine has no process or no file descriptor left: then there may be no channel either, and `error` says why. */
function isStarted(child: ChildProcess): boolean {
  return child.pid !== undefined;
}
