import { AppError, type ErrorCode } from '../../errors.ts';
import { ChildDialogue, ChildExited, type DialogueOptions } from '../../jobs/child-dialogue.ts';
import { FairQueue } from '../../lib/concurrency.ts';
import type { BenchReply, OrderedWork } from './bench-messages.ts';
import type { Asking } from './rule-jobs.ts';

export interface LaneOptions extends Omit<DialogueOptions, 'does' | 'tooLate'> {
  /** What an order that takes too long by itself is refused with. */
  readonly tooLong: ErrorCode;
}

interface Waiting {
  readonly work: OrderedWork;
  readonly signal: AbortSignal | undefined;
  readonly done: PromiseWithResolvers<unknown>;
}

/** Of one who asks, beside the one that is worked on: a page with its figures asks for three things at once. */
export const MOST_WAITING = 8;
const RETRY_MS = 2_000;

class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
}

/**
 * One process that works on one order at a time, so that what takes too long, or what it cannot bear, is nobody's loss but whose it
 * is. Whoever waits, waits for what is under way and one order at the most of each of the others.
 */
export class BenchLane {
  readonly #options: LaneOptions;
  readonly #dialogue: ChildDialogue<OrderedWork, BenchReply>;
  readonly #turns = new FairQueue<Waiting>();
  #isRunning = false;
  #isClosed = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    const { limitMs } = options;
    this.#dialogue = new ChildDialogue({
      ...options,
      does: 'works on rules',
      tooLate: () => new TookTooLong(`the rules were not worked out within ${limitMs / 1_000} s`),
    });
  }

  /** Rejects with AppError `busy`, `tooLong` of the options, and with the signal's reason. */
  async ask(work: OrderedWork, { asker = '', signal }: Asking): Promise<unknown> {
    if (this.#isClosed) throw closed();
    signal?.throwIfAborted();
    if (this.#turns.countOf(asker) >= MOST_WAITING)
      throw refusal('busy', 'too much that you asked for waits already');
    const waiting: Waiting = { work, signal, done: Promise.withResolvers() };
    const leave = () => {
      this.#turns.remove(asker, waiting);
      waiting.done.reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#turns.add(asker, waiting);
    void this.#run();
    try {
      return await waiting.done.promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** For good: whoever asks afterwards starts no process that would outlive this one. */
  close(): void {
    this.#isClosed = true;
    for (let waiting = this.#turns.take(); waiting; waiting = this.#turns.take())
      waiting.done.reject(closed());
    this.#dialogue.end();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let waiting = this.#turns.take(); waiting; waiting = this.#turns.take()) await this.#work(waiting);
    this.#isRunning = false;
  }

  /** Settles what is waited for; never rejects. */
  async #work({ work, signal, done }: Waiting): Promise<void> {
    try {
      const reply = await this.#dialogue.ask(work, { signal });
      if ('answer' in reply) done.resolve(reply.answer);
      else done.reject(new Error(reply.failure));
    } catch (error) {
      done.reject(this.#isClosed ? closed() : this.#refusalOf(error));
    }
  }

  #refusalOf(error: unknown): unknown {
    const { tooLong } = this.#options;
    if (error instanceof TookTooLong) return refusal(tooLong, error.message, error);
    return error instanceof ChildExited ? refusal('busy', error.message, error) : error;
  }
}

function refusal(code: ErrorCode, message: string, cause?: Error): AppError {
  const retry = code === 'busy' ? { retryAfterMs: RETRY_MS } : {};
  return new AppError(code, { details: [{ message }], cause, ...retry });
}

function closed(): Error {
  return new Error('the bench for rules is closed');
}
