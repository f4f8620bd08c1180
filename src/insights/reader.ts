import type { DatabaseSync } from 'node:sqlite';
import type { CheckHour } from '../storage/ports.ts';
import { CheckTallier, type ProviderOfFact } from './check-tallier.ts';
import { OverviewBuilder } from './overview.ts';
import type { Answer, Ask, QuestionKind } from './questions.ts';
import { type CountedHour, HourReader } from './sqlite/hour-reader.ts';
import { readCheck } from './sqlite/read-check.ts';
import { searchChecks } from './sqlite/search-checks.ts';
import { UsageBuilder } from './usage.ts';

export interface ReaderOptions {
  readonly providerOf: ProviderOfFact;
  readonly now: () => number;
  /** How long counting goes on before others get their turn. */
  readonly turnMs?: number | undefined;
}

/** What a turn came to: an answer, or counts on the way to one. */
export interface Turn {
  readonly answer: unknown;
  /** False when the same question must be asked again for its answer. */
  readonly isAnswered: boolean;
  /** What was counted, to be stored. */
  readonly fresh: readonly CheckHour[];
}

interface Counting {
  readonly hours: Iterator<CountedHour>;
  readonly add: (hour: CountedHour) => void;
  readonly build: () => unknown;
}

/** About 50,000 checks. */
const TURN_MS = 500;
/** Questions whose answer is half counted. One that nobody asks again is pushed out by later ones. */
const MOST_HALF_COUNTED = 8;

/** Answers questions from a connection that only reads. Erasable TypeScript, as is all that it imports. */
export class Reader {
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
  async take<K extends QuestionKind>(number: number, kind: K, question: Ask<K>): Promise<Turn> {
    const answers: { readonly [Q in QuestionKind]: (asked: Ask<Q>) => unknown } = {
      overview: (asked) => this.#count(number, () => this.#beginOverview(asked)),
      usage: (asked) => this.#count(number, () => this.#beginUsage(asked)),
      search: (asked) => searchChecks(this.#database, asked),
      check: (asked) => readCheck(this.#database, asked),
      explain,
    };
    const answer = await answers[kind](question);
    return { answer, isAnswered: answer !== undefined, fresh: this.#hours.takeFresh() };
  }

  /** Undefined when the turn is over before all is counted. */
  #count(number: number, begin: () => Counting): unknown {
    const counting = this.#halfCounted.get(number) ?? begin();
    this.#halfCounted.delete(number);
    const end = performance.now() + (this.#options.turnMs ?? TURN_MS);
    for (let { done, value } = counting.hours.next(); !done; { done, value } = counting.hours.next()) {
      counting.add(value);
      if (performance.now() > end) {
        this.#halfCounted.set(number, counting);
        const [oldest] = this.#halfCounted.keys();
        if (this.#halfCounted.size > MOST_HALF_COUNTED) this.#halfCounted.delete(oldest ?? number);
        return undefined;
      }
    }
    return counting.build();
  }

  #beginOverview(asked: Ask<'overview'>): Counting {
    const builder = new OverviewBuilder({ since: asked.since, until: asked.until });
    const hours = this.#hours.read(asked, this.#options.now());
    return { hours, add: ({ hour, tally }) => builder.add(hour, tally), build: () => builder.build() };
  }

  #beginUsage(asked: Ask<'usage'>): Counting {
    const builder = new UsageBuilder();
    const hours = this.#hours.read(asked, this.#options.now());
    return {
      hours,
      add: ({ accountId, hour, tally }) => builder.add(accountId, hour, tally),
      build: () => builder.build(),
    };
  }
}

/** Most who look at an overview never ask for this, and json-rules-engine is most of what there is to load. */
async function explain({ ruleSet, catalogue, facts }: Ask<'explain'>): Promise<Answer<'explain'>> {
  const { explainDecision } = await import('../rules/explain/explain-decision.ts');
  return explainDecision(ruleSet, catalogue, facts);
}
