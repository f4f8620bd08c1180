import type { Hour, Range } from '../../insights/hours.ts';
import type { InsightsJobs, OfAccount } from '../../insights/insights-queries.ts';
import { OverviewBuilder, UsageBuilder } from '../../insights/overview.ts';
import { CheckTallier, type ProviderOfFact, type WrittenTally } from '../../insights/tally.ts';
import type { CheckHour } from '../ports.ts';
import { hourReader } from './hour-reader.ts';
import type { RecordsDatabase } from './records-database.ts';
import { readCheck, searchChecks } from './search-checks.ts';

interface ReaderOptions {
  readonly providerOf: ProviderOfFact;
  readonly now: () => number;
  /** How long one call of `count` goes on. */
  readonly countingMs?: number | undefined;
}

/** The longest that a question waits for one call of `count`. */
const COUNTING_MS = 500;

/** Answers questions from a connection that only reads. Erasable TypeScript, as is all that it imports. */
export function insightsReader(
  database: RecordsDatabase,
  { providerOf, now, countingMs = COUNTING_MS }: ReaderOptions,
): InsightsJobs {
  const hours = hourReader(database, new CheckTallier(providerOf));
  /** The counting of hours, to be continued by the next `count`. */
  let counting: AsyncGenerator<CheckHour | undefined> | undefined;

  /** Calls `add` for each counted hour. Returns the share of the checks that these hours hold. */
  async function addUp(
    asked: OfAccount & Range,
    add: (accountId: string, hour: Hour, tally: WrittenTally) => void,
  ): Promise<number> {
    let counted = 0;
    let all = 0;
    for await (const found of hours.read(asked, now())) {
      if (found === undefined) continue;
      const { accountId, hour, checks, tally } = found;
      all += checks;
      if (tally === null) continue;
      counted += checks;
      add(accountId, hour, tally);
    }
    // Never rounded up to 1 while checks are missing.
    return counted === all ? 1 : Math.min(Math.floor((counted / all) * 10_000) / 10_000, 0.9999);
  }

  return {
    search: (asked) => searchChecks(database, asked),
    check: (asked) => readCheck(database, asked),

    /** Loads its code when first called: few pages need it, and json-rules-engine is most of the code. */
    async explain({ ruleSet, known, facts }) {
      const { explainDecision } = await import('../../rules/explain-decision.ts');
      return explainDecision(ruleSet, known, facts);
    },

    async overview(asked) {
      const builder = new OverviewBuilder({ since: asked.since, until: asked.until });
      const share = await addUp(asked, (_account, hour, tally) => builder.add(hour, tally));
      return builder.build(share);
    },

    async usage(asked) {
      const builder = new UsageBuilder();
      const share = await addUp(asked, (account, hour, tally) => builder.add(account, hour, tally));
      return builder.build(share);
    },

    async count() {
      const going = counting ?? hours.countEnded(now());
      // Where a step throws, the next call begins anew.
      counting = undefined;
      const found: CheckHour[] = [];
      const end = performance.now() + countingMs;
      do {
        const { value, done } = await going.next();
        if (done) return { hours: found, isDone: true };
        if (value) found.push(value);
      } while (performance.now() < end);
      counting = going;
      return { hours: found, isDone: false };
    },
  };
}
