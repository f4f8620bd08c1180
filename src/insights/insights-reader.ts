import type { DatabaseSync } from 'node:sqlite';
import type { CheckHour } from '../storage/ports.ts';
import type { Answer, Ask, QuestionKind } from './insights-queries.ts';
import { OverviewBuilder } from './overview.ts';
import { type CountedHour, HourReader } from './sqlite/hour-reader.ts';
import { readCheck, searchChecks } from './sqlite/search-checks.ts';
import { CheckTallier, type ProviderOfFact } from './tally.ts';
import { UsageBuilder } from './usage.ts';

interface ReaderOptions {
  readonly providerOf: ProviderOfFact;
  readonly now: () => number;
  /** How long counting goes on before other questions are read. */
  readonly turnMs?: number | undefined;
  /** How long a person waits for what was never counted before there is an answer of what is counted so far. */
  readonly patienceMs?: number | undefined;
}

/** One turn of a question. Plain data: it travels between processes. */
export interface AskedTurn<K extends QuestionKind = QuestionKind> {
  /** The same for each turn of a question. */
  readonly number: number;
  readonly kind: K;
  readonly question: Ask<K>;
}

/** What a turn came to: an answer, or counts on the way to one. */
export interface Turn {
  readonly answer: unknown;
  /** False when the same question must be asked again for its answer. */
  readonly isAnswered: boolean;
  /** False for an answer of what is counted so far: another one comes further. */
  readonly isFinal: boolean;
  /** What was counted, to be stored. */
  readonly fresh: readonly CheckHour[];
}

interface Counting {
  readonly hours: Iterator<CountedHour>;
  readonly add: (hour: CountedHour) => void;
  readonly build: () => unknown;
  /** An answer of what was added so far; without it there is none before all is counted. */
  readonly buildSoFar?: () => unknown;
  /** Went into hours that are stored and need never be counted again: without any, an answer would come no further than the last. */
  freshMs: number;
}

/** What counting came to. */
interface Counted {
  readonly answer: unknown;
  readonly isFinal: boolean;
}

/** About 50,000 checks. */
const TURN_MS = 500;
/** Long enough that adding up what is stored already, which each answer begins with, is the smaller part. */
const PATIENCE_MS = 2_000;
/** Questions whose answer is half counted. One that is not asked again is pushed out by later ones. */
const MOST_HALF_COUNTED = 8;

/** Answers questions from a connection that only reads. Erasable TypeScript, as is all that it imports. */
export class InsightsReader {
  readonly #database: DatabaseSync;
  readonly #hours: HourReader;
  readonly #options: ReaderOptions;
  readonly #halfCounted = new Map<number, Counting>();

  constructor(database: DatabaseSync, options: ReaderOptions) {
    this.#database = database;
    this.#hours = new HourReader(database, new CheckTallier(options.providerOf));
    this.#options = options;
  }

  /** A question that is asked again under the same number goes on where it was. */
  async take({ number, kind, question }: AskedTurn): Promise<Turn> {
    const answers: {
      readonly [Q in QuestionKind]: (asked: Ask<Q>) => Counted | undefined | Promise<Counted>;
    } = {
      overview: (asked) => this.#count(number, () => this.#beginOverview(asked)),
      usage: (asked) => this.#count(number, () => this.#beginUsage(asked)),
      search: (asked) => final(searchChecks(this.#database, asked)),
      check: (asked) => final(readCheck(this.#database, asked)),
      explain: async (asked) => final(await explain(asked)),
    };
    const { answer, isFinal = false } = (await answers[kind](question as never)) ?? {};
    return { answer, isAnswered: answer !== undefined, isFinal, fresh: this.#hours.takeFresh() };
  }

  /** Undefined when the turn is over before there is an answer. */
  #count(number: number, begin: () => Counting): Counted | undefined {
    const { turnMs = TURN_MS, patienceMs = PATIENCE_MS } = this.#options;
    const counting = this.#halfCounted.get(number) ?? begin();
    this.#halfCounted.delete(number);
    const { hours, add, build, buildSoFar } = counting;
    const end = performance.now() + turnMs;
    for (let begun = performance.now(); ; begun = performance.now()) {
      const { done, value } = hours.next();
      if (done) return final(build());
      add(value);
      const now = performance.now();
      if (value.isFresh) counting.freshMs += now - begun;
      if (buildSoFar && counting.freshMs > patienceMs) return { answer: buildSoFar(), isFinal: false };
      if (now > end) {
        this.#halfCounted.set(number, counting);
        const [oldest] = this.#halfCounted.keys();
        if (this.#halfCounted.size > MOST_HALF_COUNTED) this.#halfCounted.delete(oldest ?? number);
        return undefined;
      }
    }
  }

  #beginOverview(asked: Ask<'overview'>): Counting {
    const builder = new OverviewBuilder({ since: asked.since, until: asked.until });
    const hours = this.#hours.read(asked, this.#options.now());
    return {
      hours,
      add: ({ hour, tally }) => builder.add(hour, tally),
      build: () => builder.build(),
      buildSoFar: () => builder.build(this.#hours.checksOf(asked)),
      freshMs: 0,
    };
  }

  #beginUsage(asked: Ask<'usage'>): Counting {
    const builder = new UsageBuilder();
    const hours = this.#hours.read(asked, this.#options.now());
    return {
      hours,
      add: ({ accountId, hour, tally }) => builder.add(accountId, hour, tally),
      build: () => builder.build(),
      freshMs: 0,
    };
  }
}

function final(answer: unknown): Counted {
  return { answer, isFinal: true };
}

/** Loaded when it is asked for: few pages need it, and json-rules-engine is most of what there is to load. */
async function explain({ ruleSet, known, facts }: Ask<'explain'>): Promise<Answer<'explain'>> {
  const { explainDecision } = await import('../rules/explain-decision.ts');
  return explainDecision(ruleSet, known, facts);
}
