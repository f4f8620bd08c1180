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
  /** For this order alone. */
  readonly limitMs?: number | undefined;
  /** Tells the program, by a `GiveUp`, that nobody waits; one that does not end soon after is killed. */
  readonly signal?: AbortSignal | undefined;
}

export interface GiveUp {
  readonly giveUp: true;
}

/** The process ended before it answered: it was killed, ran out of memory, or has a bug. */
export class ChildFell extends Error {
  override readonly name = 'ChildFell';
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
   * To be called again only once this has settled. Rejects with `tooLate`, with ChildFell, and with the signal's reason where the
   * program did not end in time; where it did, its answer is the answer.
   */
  async ask(order: Order, { limitMs = this.#options.limitMs, signal }: AskOptions = {}): Promise<Reply> {
    const { does, tooLate, idleMs } = this.#options;
    clearTimeout(this.#idle);
    const child = this.#child ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const fell = (code: number | null, killedBy: string | null) =>
      reject(new ChildFell(`the process that ${does} ended with ${code ?? killedBy} before it answered`));
    const breakOff = (reason: unknown) => {
      reject(reason);
      this.end();
    };
    let limit = setTimeout(() => breakOff(tooLate()), limitMs);
    const giveUp = () => {
      child.send({ giveUp: true } satisfies GiveUp, () => undefined);
      clearTimeout(limit);
      limit = setTimeout(() => breakOff(signal?.reason), Math.min(PATIENCE_MS, limitMs));
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    child.once('message', resolve).once('error', reject).once('exit', fell);
    child.channel?.ref();
    child.send(order, (error) => error && reject(error));
    if (signal?.aborted) giveUp();
    try {
      return await promise;
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', giveUp);
      child.channel?.unref();
      child.off('message', resolve).off('error', reject).off('exit', fell);
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
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    child.send(opening, () => undefined);
    return child;
  }
}
