import type { ChildProcess } from 'node:child_process';
import { startChildProgram } from '../child-program.ts';
import type { ProviderOfFact } from './check-tallier.ts';
import { InsightsTimeout, type QuestionKind } from './questions.ts';
import type { Turn } from './reader.ts';

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

export interface ReadingProcessOptions extends ReadingOpening {
  /** Another program, for tests of one that falls. */
  readonly program?: URL;
  readonly limitMs?: number;
  readonly idleMs?: number;
}

/** Beside this file in both trees; tsc does not rewrite the extension in a URL. */
const PROGRAM = new URL(
  import.meta.url.endsWith('.ts') ? './reading.process.ts' : './reading.process.js',
  import.meta.url,
);
/** A turn takes half a second; on a disk that is slow and busy, some. */
const LIMIT_MS = 15_000;
/** Whoever looks at a live page asks every few seconds; the process holds 60 MB. */
const IDLE_MS = 60_000;

/**
 * This end of the process that reads: started for the first turn, ended when none has come for a while. Not a worker, for the
 * reason that `updateInProcess` gives, and because only a process can be broken off in the midst of a query; SQLite does
 * not mind that of one that reads. One turn at a time.
 */
export class ReadingProcess {
  readonly #options: ReadingProcessOptions;
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ReadingProcessOptions) {
    this.#options = options;
  }

  /** Undefined while nobody asks. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Rejects with `InsightsTimeout` when it takes too long, and when the process falls; the next turn begins a new one. */
  async take(order: ReadingOrder): Promise<Turn> {
    const { limitMs = LIMIT_MS, idleMs = IDLE_MS } = this.#options;
    clearTimeout(this.#idle);
    const child = this.#child ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<ReadingReply>();
    const fell = (code: number | null, killedBy: string | null) =>
      reject(new Error(`the process that reads records ended with ${code ?? killedBy} before it answered`));
    const limit = setTimeout(() => {
      reject(new InsightsTimeout(`records were not read within ${limitMs / 1_000} s`));
      this.end();
    }, limitMs);
    child.once('message', resolve);
    child.once('exit', fell);
    child.channel?.ref();
    child.send(order, (error) => error && reject(error));
    try {
      const reply = await promise;
      if ('failure' in reply) throw new Error(reply.failure);
      return reply.turn;
    } finally {
      clearTimeout(limit);
      child.channel?.unref();
      child.off('message', resolve).off('exit', fell);
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
    const { file, providerOf, program = PROGRAM } = this.#options;
    const child = startChildProgram(program);
    this.#child = child;
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    child.send({ file, providerOf } satisfies ReadingOpening, () => undefined);
    return child;
  }
}
