import { ChildDialogue } from '../jobs/child-dialogue.ts';
import { moduleBeside } from '../lib/paths.ts';
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

const PROGRAM = moduleBeside('./reading.process', import.meta.url);
/** A turn takes half a second; on a disk that is slow and busy, some. */
const LIMIT_MS = 15_000;
/** Whoever looks at a live page asks every few seconds; the process holds 60 MB. */
const IDLE_MS = 60_000;

/**
 * This end of the process that reads. Not a worker, for the reason that `updateInProcess` gives, and because only a process can
 * be broken off in the midst of a query; SQLite does not mind that of one that reads. One turn at a time.
 */
export class ReadingProcess {
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
