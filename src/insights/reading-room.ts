import type { Logger } from '../observability/logger.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { CheckHour, CheckHourStore } from '../storage/ports.ts';
import { type Answer, type Ask, type Insights, InsightsBusy, type QuestionKind } from './questions.ts';
import { ReadingProcess, type ReadingProcessOptions } from './reading-process.ts';

export interface ReadingRoomOptions extends ReadingProcessOptions {
  readonly hours: CheckHourStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Questions that may wait: all pages of some people at once. */
export const MOST_WAITING = 32;
/** A page that is live asks every few seconds, and several may look at the same. */
export const FRESH_MS = 3_000;
/** The rest is cheap to read, or is never asked twice. */
const SHARED: readonly QuestionKind[] = ['overview', 'usage'];
const MOST_SHARED = 50;

interface Waiting {
  readonly number: number;
  readonly kind: QuestionKind;
  readonly question: unknown;
  readonly done: PromiseWithResolvers<unknown>;
  /** What it is shared under; null where it is not. */
  readonly name: string | null;
  readonly askedAt: number;
  askers: number;
  isSettled: boolean;
}

/**
 * Has questions read for, one turn of one question at a time. One that takes several turns goes to the end of the queue after
 * each, so that a short one never waits for all of it.
 */
export class ReadingRoom implements Insights {
  readonly #options: ReadingRoomOptions;
  readonly #process: ReadingProcess;
  readonly #queue: Waiting[] = [];
  /** By name, the oldest first. */
  readonly #shared = new Map<string, Waiting>();
  #running: Promise<void> | undefined;
  #isClosed = false;
  #lastNumber = 0;

  constructor(options: ReadingRoomOptions) {
    this.#options = options;
    this.#process = new ReadingProcess(options);
  }

  /** Of the process that reads; undefined while nobody asks. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  async ask<K extends QuestionKind>(kind: K, question: Ask<K>, signal?: AbortSignal): Promise<Answer<K>> {
    if (this.#isClosed) throw new Error('the reading room is closed');
    signal?.throwIfAborted();
    const waiting = this.#find(kind, question);
    waiting.askers += 1;
    const leave = Promise.withResolvers<never>();
    const onAbort = () => leave.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      // What is answered to a kind of question is of that kind.
      return (await Promise.race([waiting.done.promise, leave.promise])) as Answer<K>;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      waiting.askers -= 1;
      if (waiting.askers === 0 && !waiting.isSettled) this.#drop(waiting);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#queue.splice(0)) settle(waiting, new Error('the reading room is closed'));
    this.#process.end();
    await this.#running;
  }

  #find(kind: QuestionKind, question: unknown): Waiting {
    const { clock } = this.#options;
    const name = SHARED.includes(kind) ? `${kind} ${JSON.stringify(question)}` : null;
    const known = name === null ? undefined : this.#shared.get(name);
    if (known && (!known.isSettled || clock.now() - known.askedAt < FRESH_MS)) return known;
    if (this.#queue.length >= MOST_WAITING) {
      throw new InsightsBusy(`${MOST_WAITING} questions about records wait already`);
    }
    const done = Promise.withResolvers<unknown>();
    // Everybody who asked may have left.
    done.promise.catch(() => undefined);
    const number = ++this.#lastNumber;
    const waiting: Waiting = {
      ...{ number, kind, question, done, name },
      askedAt: clock.now(),
      askers: 0,
      isSettled: false,
    };
    this.#queue.push(waiting);
    if (name !== null) this.#share(name, waiting);
    this.#running ??= this.#run();
    return waiting;
  }

  #share(name: string, waiting: Waiting): void {
    this.#shared.delete(name);
    const [oldest] = this.#shared.keys();
    if (oldest !== undefined && this.#shared.size >= MOST_SHARED) this.#shared.delete(oldest);
    this.#shared.set(name, waiting);
  }

  /** Nobody waits for it any more. A turn that is under way is finished: it is short. */
  #drop(waiting: Waiting): void {
    waiting.isSettled = true;
    const place = this.#queue.indexOf(waiting);
    if (place >= 0) this.#queue.splice(place, 1);
    this.#unshare(waiting);
  }

  #unshare(waiting: Waiting): void {
    if (waiting.name !== null && this.#shared.get(waiting.name) === waiting)
      this.#shared.delete(waiting.name);
  }

  async #run(): Promise<void> {
    for (let waiting = this.#queue.shift(); waiting; waiting = this.#queue.shift()) {
      await this.#takeTurn(waiting);
    }
    this.#running = undefined;
  }

  async #takeTurn(waiting: Waiting): Promise<void> {
    const { number, kind, question } = waiting;
    try {
      const { answer, isAnswered, fresh } = await this.#process.take({ number, kind, question });
      await this.#keep(fresh);
      if (isAnswered) settle(waiting, null, answer);
      else if (!waiting.isSettled && !this.#isClosed) this.#queue.push(waiting);
      else settle(waiting, new Error('the reading room is closed'));
    } catch (error) {
      this.#unshare(waiting);
      settle(waiting, error);
    }
  }

  /** Counts that cannot be stored are counted again. */
  async #keep(fresh: readonly CheckHour[]): Promise<void> {
    if (fresh.length === 0) return;
    try {
      await this.#options.hours.keep(fresh);
    } catch (err) {
      this.#options.log.warn({ err, hours: fresh.length }, 'counts of hours not stored');
    }
  }
}

function settle(waiting: Waiting, fault: unknown, answer?: unknown): void {
  waiting.isSettled = true;
  if (fault === null) waiting.done.resolve(answer);
  else waiting.done.reject(fault);
}
