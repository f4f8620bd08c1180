import { setImmediate as turn } from 'node:timers/promises';
import { isoTime } from '../../lib/dates.ts';
import type { RecordedChecks } from '../../storage/sqlite/open-recorded-checks.ts';
import type { Case } from '../backtest/case.ts';
import { recordedCases } from '../backtest/recorded-cases.ts';

/** What was taken of the records, in the names that leave the process. */
export interface CorpusStatement {
  readonly checks: number;
  /** How many there are in those days; more than `checks` where only the newest were taken. */
  readonly of: number;
  readonly days: number;
  /** ISO 8601, UTC. */
  readonly since: string;
  readonly taken_at: string;
}

/** Recorded checks in memory, to be judged again and again. */
export interface Corpus {
  readonly cases: readonly Case[];
  readonly statement: CorpusStatement;
}

/** Some 0.7 kB each in memory, and half a second for both sets to judge them all. */
const MOST_CHECKS = 100_000;
const DAY_MS = 86_400_000;
/** Judged between two looks at what else there is to do: some 10 ms. */
const BATCH = 2_000;

/** Lets other work in before each page: a page is read and judged without a wait in which that could be done. */
export async function* takingTurns<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  for await (const page of pages) {
    await turn();
    yield page;
  }
}

/** The newest live checks of so many days. */
export async function loadCorpus(
  records: Pick<RecordedChecks, 'count' | 'pages'>,
  days: number,
  nowMs: number,
): Promise<Corpus> {
  const since = isoTime(nowMs - days * DAY_MS);
  const of = await records.count({ since });
  const cases: Case[] = [];
  const pages = takingTurns(records.pages({ since, newest: MOST_CHECKS }));
  for await (const page of recordedCases(pages)) cases.push(...page);
  const statement = { checks: cases.length, of, days, since, taken_at: isoTime(nowMs) };
  return { cases, statement };
}

/** The cases in batches, with other work let in between them. Throws the signal's reason once that is given up. */
export async function* inBatches({ cases }: Corpus, signal?: AbortSignal): AsyncGenerator<readonly Case[]> {
  for await (const batch of takingTurns(slices(cases))) {
    signal?.throwIfAborted();
    yield batch;
  }
}

async function* slices(cases: readonly Case[]): AsyncGenerator<readonly Case[]> {
  for (let from = 0; from < cases.length; from += BATCH) yield cases.slice(from, from + BATCH);
}
