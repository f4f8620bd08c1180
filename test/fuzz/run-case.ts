import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './answer-reader.ts';
import type { Connection } from './connection.ts';
import type { FuzzCase, Listener, Step } from './fuzz-case.ts';
import { verifyAnswer } from './verify-answer.ts';

/** A case that the service did not stand, with all that was sent on its connection. */
export interface Failure {
  readonly numbers: readonly number[];
  readonly name: string;
  readonly listener: Listener;
  readonly faults: readonly string[];
  readonly steps: readonly Step[];
  readonly received: string;
}

/** Kept connections are changed after this many cases, so that a failure's history stays short. */
const CASES_PER_CONNECTION = 50;
/** Answers come in a few milliseconds; a service that waits for more bytes is then told that none will come. */
const PATIENCE_MS = 150;
/** Far below the service's idle time-out, so that it never closes a connection while the next case is on its way. */
const LONGEST_REST_MS = 500;

const GAVE_UP = 'no answer, and the connection is closed since the client ended its side';

/** Sends cases and judges what comes back. */
export class CaseRunner {
  readonly #open: (listener: Listener) => Promise<Connection>;
  readonly #deadlineMs: number;
  readonly #kept: Record<Listener, Connection[]> = { https: [], plain: [], tcp: [] };
  readonly outcomes = new Map<string, number>();

  /** At the deadline a connection that has neither answered nor ended is called hung. */
  constructor(open: (listener: Listener) => Promise<Connection>, deadlineMs: number) {
    this.#open = open;
    this.#deadlineMs = deadlineMs;
  }

  /** What the service did wrong; undefined when nothing. */
  async run(fuzzCase: FuzzCase): Promise<Failure | undefined> {
    const failure = await this.#tryOnce(fuzzCase, PATIENCE_MS);
    // Node gives up a whole request that it has not answered when the client ends its side. On a busy machine
    // that can be the client's fault; a client that waits must then be answered.
    if (failure?.faults[0] !== GAVE_UP) return failure;
    return this.#tryOnce(fuzzCase, this.#deadlineMs);
  }

  /** Ends the connections that are kept for further cases. */
  close(): void {
    for (const connection of Object.values(this.#kept).flat()) connection.finish();
    for (const listener of ['https', 'plain', 'tcp'] as const) this.#kept[listener] = [];
  }

  async #tryOnce(fuzzCase: FuzzCase, patienceMs: number): Promise<Failure | undefined> {
    const connection = await this.#connection(fuzzCase);
    const faults = await this.#play(fuzzCase, connection, patienceMs);
    if (faults.length > 0) {
      connection.destroy();
      const { numbers, name, listener } = fuzzCase;
      return {
        numbers,
        name,
        listener,
        faults,
        steps: connection.history,
        received: connection.answers.map(describe).join('\n'),
      };
    }
    for (const { status } of connection.answers) this.#count(String(status));
    if (connection.answers.length === 0) this.#count('closed');
    return undefined;
  }

  async #play(fuzzCase: FuzzCase, connection: Connection, patienceMs: number): Promise<string[]> {
    const { expected, ending, leastAnswers, steps } = fuzzCase;
    connection.begin(expected);
    for (const step of steps) {
      connection.history.push(step);
      if ('send' in step) connection.send(step.send);
      else await pause(step.pauseMs);
      if (connection.isClosed) break;
    }
    if (ending === 'reset') connection.reset();
    else if (ending === 'finish_at_once') connection.finish();

    const isAnswered = () => connection.isClosed || connection.answers.length >= expected.length;
    const isBegun = () => connection.isClosed || connection.answers.length > 0;
    if (ending === 'keep') await connection.until(isAnswered, this.#deadlineMs);
    if (ending === 'finish') {
      const isPatient = await connection.until(isBegun, patienceMs);
      connection.finish();
      await connection.until(() => connection.isClosed, this.#deadlineMs);
      if (!isPatient && connection.isClosed && connection.answers.length < leastAnswers) return [GAVE_UP];
    }
    const saysClose = connection.answers.some(({ headers }) =>
      headers.some(([name, value]) => name === 'connection' && value === 'close'),
    );
    if (ending !== 'keep' || saysClose) await connection.until(() => connection.isClosed, this.#deadlineMs);
    return this.#judge(fuzzCase, connection, saysClose);
  }

  #judge(
    { expected, ending, leastAnswers, listener }: FuzzCase,
    connection: Connection,
    saysClose: boolean,
  ): string[] {
    const { answers, fault, isClosed } = connection;
    const faults = fault === undefined ? [] : [fault];
    if (answers.length < leastAnswers) {
      faults.push(`${isClosed ? 'closed' : 'hung'} with ${answers.length} of ${leastAnswers} answers`);
    } else if (!isClosed && (ending !== 'keep' || saysClose)) faults.push('the connection does not end');
    answers.forEach((answer, nth) => {
      const wanted = expected[nth];
      if (wanted) faults.push(...verifyAnswer(answer, wanted).map((fault) => `answer ${nth + 1}: ${fault}`));
    });
    if (ending === 'keep' && !isClosed && faults.length === 0) {
      connection.restedAt = performance.now();
      if (connection.cases < CASES_PER_CONNECTION) this.#kept[listener].push(connection);
      else connection.finish();
    }
    return faults;
  }

  async #connection({ listener, ending }: FuzzCase): Promise<Connection> {
    const kept = ending === 'keep' ? this.#kept[listener] : [];
    for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
      if (performance.now() - last.restedAt < LONGEST_REST_MS && !last.isClosed) return last;
      last.finish();
    }
    return this.#open(listener);
  }

  #count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }
}

function describe({ status, headers, body }: Answer): string {
  return `${status} ${headers.map((field) => field.join(': ')).join(', ')} ${body}`;
}
