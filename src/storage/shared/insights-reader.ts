import type { Hour, Range } from '../../insights/hours.ts';
import type {
  Answer,
  Ask,
  CountedHours,
  InsightsJobs,
  KeptRules,
  OfAccount,
} from '../../insights/insights-queries.ts';
import { OverviewBuilder } from '../../insights/overview.ts';
import { CheckTallier, type ProviderOfFact, type WrittenTally } from '../../insights/tally.ts';
import { UsageBuilder } from '../../insights/usage.ts';
import type { PossibleChanges } from '../../rules/explain-decision.ts';
import type { CheckHour } from '../ports.ts';
import { type HourReader, hourReader } from './hour-reader.ts';
import type { RecordsDatabase } from './records-database.ts';
import { readCheck, searchChecks } from './search-checks.ts';

interface ReaderOptions {
  readonly providerOf: ProviderOfFact;
  readonly now: () => number;
  /** How long `count` goes on. */
  readonly countingMs?: number | undefined;
}

/** What a question waits for at most, where hours are being counted. */
const COUNTING_MS = 500;

/** Answers questions from a connection that only reads. Erasable TypeScript, as is all that it imports. */
export class InsightsReader implements InsightsJobs {
  readonly #database: RecordsDatabase;
  readonly #hours: HourReader;
  readonly #options: ReaderOptions;
  #changes: PossibleChanges | undefined;
  #rules: KeptRules | undefined;
  /** How far the counting of hours has come. */
  #counting: AsyncGenerator<CheckHour | undefined> | undefined;

  constructor(database: RecordsDatabase, options: ReaderOptions) {
    this.#database = database;
    this.#hours = hourReader(database, new CheckTallier(options.providerOf));
    this.#options = options;
  }

  search(asked: Ask<'search'>): Promise<Answer<'search'>> {
    return searchChecks(this.#database, asked);
  }

  check(asked: Ask<'check'>): Promise<Answer<'check'>> {
    return readCheck(this.#database, asked);
  }

  /** Loaded when it is asked for: few pages need it, and json-rules-engine is most of what there is to load. */
  async explain({
    rules,
    known,
    facts,
  }: Parameters<InsightsJobs['explain']>[0]): Promise<Answer<'explain'> | null> {
    if (rules.ruleSet) this.#rules = rules;
    const { number, ruleSet } = this.#rules ?? {};
    if (number !== rules.number || !ruleSet) return null;
    const { explainDecision, PossibleChanges } = await import('../../rules/explain-decision.ts');
    this.#changes ??= new PossibleChanges();
    return explainDecision(ruleSet, known, facts, this.#changes);
  }

  async overview(asked: Ask<'overview'>): Promise<Answer<'overview'>> {
    const builder = new OverviewBuilder({ since: asked.since, until: asked.until });
    const share = await this.#addUp(asked, (_account, hour, tally) => builder.add(hour, tally));
    return builder.build(share);
  }

  async usage(asked: Ask<'usage'>): Promise<Answer<'usage'>> {
    const builder = new UsageBuilder();
    const share = await this.#addUp(asked, (account, hour, tally) => builder.add(account, hour, tally));
    return builder.build(share);
  }

  async count(): Promise<CountedHours> {
    const { now, countingMs = COUNTING_MS } = this.#options;
    const counting = this.#counting ?? this.#hours.countEnded(now());
    // What fails begins anew.
    this.#counting = undefined;
    const hours: CheckHour[] = [];
    const end = performance.now() + countingMs;
    do {
      const { value, done } = await counting.next();
      if (done) return { hours, isDone: true };
      if (value) hours.push(value);
    } while (performance.now() < end);
    this.#counting = counting;
    return { hours, isDone: false };
  }

  /** Returns the share that is counted of the checks. */
  async #addUp(
    asked: OfAccount & Range,
    add: (accountId: string, hour: Hour, tally: WrittenTally) => void,
  ): Promise<number> {
    let counted = 0;
    let all = 0;
    for await (const { accountId, hour, checks, tally } of this.#hours.read(asked, this.#options.now())) {
      all += checks;
      if (tally === null) continue;
      counted += checks;
      add(accountId, hour, tally);
    }
    // Rounded it could seem to be all.
    return counted === all ? 1 : Math.min(Math.floor((counted / all) * 10_000) / 10_000, 0.9999);
  }
}
