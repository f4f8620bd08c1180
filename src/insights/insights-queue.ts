import { ChildDialogue } from '../jobs/child-dialogue.ts';
import { moduleBeside } from '../lib/paths.ts';
import type { Logger } from '../observability/logger.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { CheckHour, CheckHourStore } from '../storage/ports.ts';
import {
  type Answer,
  type Ask,
  type Asker,
  InsightsBusy,
  type InsightsQueries,
  InsightsTimeout,
  type QuestionKind,
} from './insights-queries.ts';
import type { Turn } from './insights-reader.ts';
import type { ProviderOfFact } from './tally.ts';

/** What the reading program needs to know, before its first question. */
export interface ReadingOpening {
  readonly file: string;
  readonly providerOf: ProviderOfFact;
}

export interface ReadingOrder {
  /** The same for each turn of a question. */
  readonly number: number;
  readonly kind: QuestionKind;
  readonly question: unknown;
}

export type ReadingReply = { readonly turn: Turn } | { readonly failure: string };

interface ReadingProcessOptions extends ReadingOpening {
  /** Another program, for tests of one that falls. */
  readonly program?: URL;
  readonly limitMs?: number;
  readonly idleMs?: number;
}

const PROGRAM = moduleBeside('./reading.process', import.meta.url);
/** A turn takes half a second; on a disk that is slow and busy, some. */
const LIMIT_MS = 15_000;
/** Whoever looks at a live page asks every few seconds; the process holds 60 MB. */
const IDLE_MS = 60_000;

/**
 * This end of the process that reads. Not a worker, for the reason that `updateInProcess` gives, and because only a process can
 * be broken off in the midst of a query; SQLite does not mind that of one that reads. One turn at a time.
 */
class InsightsProcess {
  readonly #dialogue: ChildDialogue<ReadingOrder, ReadingReply>;

  constructor(options: ReadingProcessOptions) {
    const { file, providerOf, program = PROGRAM, limitMs = LIMIT_MS, idleMs = IDLE_MS } = options;
    this.#dialogue = new ChildDialogue({
      program,
      limitMs,
      idleMs,
      opening: { file, providerOf } satisfies ReadingOpening,
      does: 'reads records',
      tooLate: () => new InsightsTimeout(`records were not read within ${limitMs / 1_000} s`),
    });
  }

  /** Undefined while nobody asks. */
  get pid(): number | undefined {
    return this.#dialogue.pid;
  }

  /** Rejects with `InsightsTimeout` when it takes too long, and when the process falls; the next turn begins a new one. */
  async take(order: ReadingOrder): Promise<Turn> {
    const reply = await this.#dialogue.ask(order);
    if ('failure' in reply) throw new Error(reply.failure);
    return reply.turn;
  }

  /** At once, whatever it is at. */
  end(): void {
    this.#dialogue.end();
  }
}

export interface InsightsQueueOptions extends ReadingProcessOptions {
  readonly hours: CheckHourStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Questions that may wait: all pages of some people at once. */
export const MOST_WAITING = 32;
/** Of one person, the one that is being read among them: a page asks two at the most. */
export const MOST_OF_ONE = 4;
/** A page that is live asks every few seconds, and several may look at the same. */
export const FRESH_MS = 3_000;
/** Whose answers are kept for so long. What others tell may have been changed by whoever asks again. */
const LASTING: readonly QuestionKind[] = ['overview', 'usage'];
const MOST_LASTING = 50;

interface Waiting {
  readonly number: number;
  readonly kind: QuestionKind;
  readonly question: unknown;
  readonly done: PromiseWithResolvers<unknown>;
  /** The same for the same question. */
  readonly name: string;
  readonly askedAt: number;
  readonly askers: Asker[];
  isSettled: boolean;
}

/**
 * Has questions read for, one turn of one question at a time. One that takes several turns goes to the end of the queue after
 * each, so that a short one never waits for all of it.
 */
export class InsightsQueue implements InsightsQueries {
  readonly #options: InsightsQueueOptions;
  readonly #process: InsightsProcess;
  readonly #queue: Waiting[] = [];
  /** Figures by name, the oldest first: asked for, or answered not long ago. */
  readonly #lasting = new Map<string, Waiting>();
  #current: Waiting | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;
  #lastNumber = 0;

  constructor(options: InsightsQueueOptions) {
    this.#options = options;
    this.#process = new InsightsProcess(options);
  }

  /** Of the process that reads; undefined while nobody asks. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  async ask<K extends QuestionKind>(kind: K, question: Ask<K>, asker: Asker = {}): Promise<Answer<K>> {
    if (this.#isClosed) throw new Error('the reading room is closed');
    const { signal } = asker;
    signal?.throwIfAborted();
    const name = `${kind} ${JSON.stringify(question)}`;
    const waiting = this.#find(name) ?? this.#begin({ kind, question, name }, asker);
    waiting.askers.push(asker);
    const leave = Promise.withResolvers<never>();
    const onAbort = () => leave.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      // What is answered to a kind of question is of that kind.
      return (await Promise.race([waiting.done.promise, leave.promise])) as Answer<K>;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      waiting.askers.splice(waiting.askers.indexOf(asker), 1);
      if (waiting.askers.length === 0 && !waiting.isSettled) this.#drop(waiting);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#queue.splice(0)) settle(waiting, new Error('the reading room is closed'));
    this.#process.end();
    await this.#running;
  }

  /** One that is as good. Of what does not last, only one whose reading has not begun: it may have missed what was changed since. */
  #find(name: string): Waiting | undefined {
    const lasting = this.#lasting.get(name);
    const isFresh = lasting && this.#options.clock.now() - lasting.askedAt < FRESH_MS;
    if (lasting && (!lasting.isSettled || isFresh)) return lasting;
    return this.#queue.find((waiting) => waiting.name === name);
  }

  #begin(asked: Pick<Waiting, 'kind' | 'question' | 'name'>, asker: Asker): Waiting {
    this.#requirePlace(asker);
    const done = Promise.withResolvers<unknown>();
    // Everybody who asked may have left.
    done.promise.catch(() => undefined);
    const waiting: Waiting = {
      ...asked,
      number: ++this.#lastNumber,
      done,
      askedAt: this.#options.clock.now(),
      askers: [],
      isSettled: false,
    };
    this.#queue.push(waiting);
    if (LASTING.includes(asked.kind)) this.#keepAs(asked.name, waiting);
    this.#running ??= this.#run();
    return waiting;
  }

  #requirePlace({ personId, goesOn = false }: Asker): void {
    if (goesOn) return;
    const waiting = this.#current ? [this.#current, ...this.#queue] : this.#queue;
    const isOfPerson = ({ askers }: Waiting) =>
      askers.some((asker) => asker.personId === personId && !asker.goesOn);
    if (personId !== undefined && waiting.filter(isOfPerson).length >= MOST_OF_ONE) {
      throw new InsightsBusy(`${MOST_OF_ONE} of your own questions wait already, perhaps in other tabs.`);
    }
    if (this.#queue.length >= MOST_WAITING) {
      throw new InsightsBusy(`${MOST_WAITING} questions of several people wait already.`);
    }
  }

  #keepAs(name: string, waiting: Waiting): void {
    this.#lasting.delete(name);
    const [oldest] = this.#lasting.keys();
    if (oldest !== undefined && this.#lasting.size >= MOST_LASTING) this.#lasting.delete(oldest);
    this.#lasting.set(name, waiting);
  }

  /** Nobody waits for it any more. A turn that is under way is finished: it is short. */
  #drop(waiting: Waiting): void {
    waiting.isSettled = true;
    const place = this.#queue.indexOf(waiting);
    if (place >= 0) this.#queue.splice(place, 1);
    this.#forget(waiting);
  }

  #forget(waiting: Waiting): void {
    if (this.#lasting.get(waiting.name) === waiting) this.#lasting.delete(waiting.name);
  }

  async #run(): Promise<void> {
    for (let waiting = this.#queue.shift(); waiting; waiting = this.#queue.shift()) {
      this.#current = waiting;
      await this.#takeTurn(waiting);
      this.#current = undefined;
    }
    this.#running = undefined;
  }

  async #takeTurn(waiting: Waiting): Promise<void> {
    const { number, kind, question } = waiting;
    try {
      const { answer, isAnswered, isFinal, fresh } = await this.#process.take({ number, kind, question });
      await this.#keep(fresh);
      if (isAnswered && !isFinal) this.#forget(waiting);
      if (isAnswered) settle(waiting, null, answer);
      else if (!waiting.isSettled && !this.#isClosed) this.#queue.push(waiting);
      else settle(waiting, new Error('the reading room is closed'));
    } catch (error) {
      this.#forget(waiting);
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
