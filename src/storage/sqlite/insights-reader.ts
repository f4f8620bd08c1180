import type { DatabaseSync } from 'node:sqlite';
import type { Range } from '../../insights/hours.ts';
import type {
  Answer,
  Ask,
  AskedQuestion,
  InsightsJobs,
  OfAccount,
  QuestionKind,
  Reading,
} from '../../insights/insights-queries.ts';
import { OverviewBuilder } from '../../insights/overview.ts';
import { CheckTallier, type ProviderOfFact } from '../../insights/tally.ts';
import { UsageBuilder } from '../../insights/usage.ts';
import type { CheckHour } from '../ports.ts';
import { type CountedHour, HourReader } from './hour-reader.ts';
import { readCheck, searchChecks } from './search-checks.ts';

interface ReaderOptions {
  readonly providerOf: ProviderOfFact;
  readonly now: () => number;
  /** How long hours that were never counted are counted before there is an answer of what is counted so far. */
  readonly countingMs?: number | undefined;
}

/** Long enough that adding up what is stored already, which each answer begins with, is the smaller part. */
const COUNTING_MS = 2_000;

/** Answers questions from a connection that only reads. Erasable TypeScript, as is all that it imports. */
export class InsightsReader implements InsightsJobs {
  readonly #database: DatabaseSync;
  readonly #hours: HourReader;
  readonly #options: ReaderOptions;

  constructor(database: DatabaseSync, options: ReaderOptions) {
    this.#database = database;
    this.#hours = new HourReader(database, new CheckTallier(options.providerOf));
    this.#options = options;
  }

  async answer({ kind, question }: AskedQuestion): Promise<Reading> {
    const answers: { readonly [K in QuestionKind]: (asked: Ask<K>) => Reading | Promise<Reading> } = {
      overview: (asked) => this.#overview(asked),
      usage: (asked) => this.#usage(asked),
      search: (asked) => ({ answer: searchChecks(this.#database, asked), counted: [] }),
      check: (asked) => ({ answer: readCheck(this.#database, asked), counted: [] }),
      explain: async (asked) => ({ answer: await explain(asked), counted: [] }),
    };
    return answers[kind](question as never);
  }

  #overview(asked: Ask<'overview'>): Reading {
    const builder = new OverviewBuilder({ since: asked.since, until: asked.until });
    const { isWhole, counted } = this.#count(asked, ({ hour, tally }) => builder.add(hour, tally));
    return { answer: builder.build(isWhole ? undefined : this.#hours.checksOf(asked)), counted };
  }

  #usage(asked: Ask<'usage'>): Reading {
    const builder = new UsageBuilder();
    const { isWhole, counted } = this.#count(asked, ({ accountId, hour, tally }) =>
      builder.add(accountId, hour, tally),
    );
    return { answer: isWhole ? builder.build() : undefined, counted };
  }

  /** Adds up hours until all are, or the time is over that may go into those that are counted for the first time. */
  #count(asked: OfAccount & Range, add: (hour: CountedHour) => void) {
    const { now, countingMs = COUNTING_MS } = this.#options;
    const counted: CheckHour[] = [];
    // Hours that are not over are counted for each question: as progress, they would keep answers from coming further.
    let spentMs = 0;
    let begun = performance.now();
    for (const hour of this.#hours.read(asked, now())) {
      add(hour);
      const ended = performance.now();
      if (hour.counted) {
        counted.push(hour.counted);
        spentMs += ended - begun;
        if (spentMs > countingMs) return { isWhole: false, counted };
      }
      begun = ended;
    }
    return { isWhole: true, counted };
  }
}

/** Loaded when it is asked for: few pages need it, and json-rules-engine is most of what there is to load. */
async function explain({ ruleSet, known, facts }: Ask<'explain'>): Promise<Answer<'explain'>> {
  const { explainDecision } = await import('../../rules/explain-decision.ts');
  return explainDecision(ruleSet, known, facts);
}
