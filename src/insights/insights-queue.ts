import { busy, JobQueue } from '../jobs/job-queue.ts';
import type { JobRunnerOptions } from '../jobs/job-runner.ts';
import type { Logger } from '../observability/logger.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { CheckHour, CheckHourStore } from '../storage/ports.ts';
import type { Answer, Ask, Asker, InsightsQueries, QuestionKind } from './insights-queries.ts';
import type { InsightsReader } from './insights-reader.ts';
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
  readonly clock: Clock;
  readonly log: Logger;
}

/** Questions that may wait: all pages of some people at once. */
export const MOST_WAITING = 32;
/** Of one person, the one that is being read among them: a page asks two at the most. */
export const MOST_OF_ONE = 4;
/** A live page asks every few seconds, and several may look at the same. */
export const FRESH_MS = 3_000;
/** Their answers are kept for so long; what other kinds tell may have been changed by the person who asks again. */
const KEPT_KINDS: readonly QuestionKind[] = ['overview', 'usage'];
const MOST_KEPT = 50;
/** A turn takes half a second; on a disk that is slow and busy, some. */
const LIMIT_MS = 15_000;
/** A live page asks every few seconds; the process holds 60 MB. */
const IDLE_MS = 60_000;

interface Question {
  /** The same for each turn of it. */
  readonly number: number;
  readonly kind: QuestionKind;
  readonly question: Ask<QuestionKind>;
  /** Kind and question: the same for the same question. */
  readonly name: string;
  readonly askedAt: number;
  readonly askers: Asker[];
  readonly answer: Promise<unknown>;
  readonly stopWaiting: AbortController;
  /** A turn of it is being read. */
  isReading: boolean;
  isSettled: boolean;
}

/**
 * Has questions answered by a process that reads, one turn of one question at a time and askers in turns. A question that takes several
 * turns waits again after each, so that a short one never waits for all of it.
 */
export class InsightsQueue implements InsightsQueries {
  readonly #options: InsightsQueueOptions;
  readonly #jobs: JobQueue<Pick<InsightsReader, 'take'>>;
  /** Asked and not answered yet. */
  readonly #open = new Set<Question>();
  /** Figures by name, the oldest first: asked for, or answered not long ago. */
  readonly #kept = new Map<string, Question>();
  #lastNumber = 0;

  constructor(options: InsightsQueueOptions) {
    this.#options = options;
    const { file, providerOf, entry, limitMs = LIMIT_MS, idleMs = IDLE_MS } = options;
    this.#jobs = new JobQueue({
      program: 'insights',
      setup: { file, providerOf } satisfies InsightsSetup,
      does: 'reads records',
      undone: 'records were not read',
      limitMs,
      idleMs,
      // What may wait is counted by questions, which several people may share.
      mostWaiting: Number.POSITIVE_INFINITY,
      ...(entry && { entry }),
    });
  }

  /** Of the process that reads; undefined while there is none. */
  get pid(): number | undefined {
    return this.#jobs.pid;
  }

  async ask<K extends QuestionKind>(kind: K, question: Ask<K>, asker: Asker = {}): Promise<Answer<K>> {
    const { signal } = asker;
    signal?.throwIfAborted();
    const name = `${kind} ${JSON.stringify(question)}`;
    const asked = this.#find(name) ?? this.#begin(kind, question, name, asker);
    asked.askers.push(asker);
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      // What is answered to a kind of question is of that kind.
      return (await Promise.race([asked.answer, left.promise])) as Answer<K>;
    } finally {
      signal?.removeEventListener('abort', leave);
      asked.askers.splice(asked.askers.indexOf(asker), 1);
      if (asked.askers.length === 0 && !asked.isSettled) this.#drop(asked);
    }
  }

  async close(): Promise<void> {
    const answers = [...this.#open].map(({ answer }) => answer);
    this.#kept.clear();
    this.#jobs.close();
    await Promise.allSettled(answers);
  }

  /** One that is as good. Of what is not kept, only one whose reading has not begun: it may have missed what was changed since. */
  #find(name: string): Question | undefined {
    const kept = this.#kept.get(name);
    const isFresh = kept && this.#options.clock.now() - kept.askedAt < FRESH_MS;
    if (kept && (!kept.isSettled || isFresh)) return kept;
    return this.#waiting().find((question) => question.name === name);
  }

  #begin(kind: QuestionKind, question: Ask<QuestionKind>, name: string, asker: Asker): Question {
    this.#requirePlace(asker);
    const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>();
    const asked: Question = {
      ...{ number: ++this.#lastNumber, kind, question, name, answer, askers: [] },
      askedAt: this.#options.clock.now(),
      stopWaiting: new AbortController(),
      isReading: false,
      isSettled: false,
    };
    this.#open.add(asked);
    if (KEPT_KINDS.includes(kind)) this.#keep(asked);
    this.#read(asked, asker.personId)
      .then(resolve, (error) => {
        this.#forget(asked);
        reject(error);
      })
      .finally(() => {
        asked.isSettled = true;
        this.#open.delete(asked);
      });
    // All who asked may have left.
    answer.catch(() => undefined);
    return asked;
  }

  /** Turn after turn, until there is an answer or all who asked have left. */
  async #read(asked: Question, personId: string | undefined): Promise<unknown> {
    const { number, kind, question, stopWaiting } = asked;
    const onStart = () => {
      asked.isReading = true;
    };
    for (;;) {
      const asking = { asker: personId, signal: stopWaiting.signal, onStart };
      const turn = await this.#jobs.run('take', { number, kind, question }, asking).finally(() => {
        asked.isReading = false;
      });
      await this.#storeHours(turn.fresh);
      if (turn.isAnswered && !turn.isFinal) this.#forget(asked);
      if (turn.isAnswered) return turn.answer;
      if (asked.isSettled) throw new Error('all who asked have left');
    }
  }

  #requirePlace({ personId, goesOn = false }: Asker): void {
    if (goesOn) return;
    const isOfPerson = ({ askers }: Question) =>
      askers.some((asker) => asker.personId === personId && !asker.goesOn);
    if (personId !== undefined && [...this.#open].filter(isOfPerson).length >= MOST_OF_ONE) {
      throw busy(`${MOST_OF_ONE} of your own questions wait already, perhaps in other tabs.`);
    }
    if (this.#waiting().length >= MOST_WAITING) {
      throw busy(`${MOST_WAITING} questions of several people wait already.`);
    }
  }

  #waiting(): readonly Question[] {
    return [...this.#open].filter(({ isReading }) => !isReading);
  }

  #keep(asked: Question): void {
    this.#kept.delete(asked.name);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MOST_KEPT) this.#kept.delete(oldest);
    this.#kept.set(asked.name, asked);
  }

  /** All who asked have left. A turn that is under way is finished, since it is short, and what it has counted is stored. */
  #drop(asked: Question): void {
    asked.isSettled = true;
    this.#forget(asked);
    if (asked.isReading) return;
    this.#open.delete(asked);
    asked.stopWaiting.abort();
  }

  #forget(asked: Question): void {
    if (this.#kept.get(asked.name) === asked) this.#kept.delete(asked.name);
  }

  /** Counts that cannot be stored are counted again. */
  async #storeHours(fresh: readonly CheckHour[]): Promise<void> {
    if (fresh.length === 0) return;
    try {
      await this.#options.hours.keep(fresh);
    } catch (err) {
      this.#options.log.warn({ err, hours: fresh.length }, 'counts of hours not stored');
    }
  }
}
