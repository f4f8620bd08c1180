import type { ChildProcess } from 'node:child_process';
import { startChildProgram } from './child-program.ts';

export interface DialogueOptions {
  readonly program: URL;
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

  /** To be called again only once the answer is there. Rejects with `tooLate`, and when the process falls. */
  async ask(order: Order): Promise<Reply> {
    const { does, limitMs, tooLate, idleMs } = this.#options;
    clearTimeout(this.#idle);
    const child = this.#child ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const fell = (code: number | null, killedBy: string | null) =>
      reject(new Error(`the process that ${does} ended with ${code ?? killedBy} before it answered`));
    const limit = setTimeout(() => {
      reject(tooLate());
      this.end();
    }, limitMs);
    child.once('message', resolve).once('error', reject).once('exit', fell);
    child.channel?.ref();
    child.send(order, (error) => error && reject(error));
    try {
      return await promise;
    } finally {
      clearTimeout(limit);
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
    const child = startChildProgram(this.#options.program);
    this.#child = child;
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    child.send(this.#options.opening, () => undefined);
    return child;
  }
}
