import { setImmediate as afterOtherWork } from 'node:timers/promises';
import { isoTime } from '../../lib/dates.ts';
import type { RecordedChecks } from '../../storage/sqlite/replay-queries.ts';
import type { BySide, Counts } from '../backtest/case.ts';
import { type Case, recordedCases } from '../backtest/case.ts';
import { reasonsOf } from '../backtest/flips.ts';
import type { BacktestReport, FlipExample } from '../backtest/report.ts';
import { type ComparedSet, runBacktest, unseenByReplay } from '../backtest/run-backtest.ts';

/** What was taken of the records, in the names that leave the process. */
interface CorpusStatement {
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
export async function* lettingOthersWork<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  for await (const page of pages) {
    await afterOtherWork();
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
  const pages = lettingOthersWork(records.pages({ since, newest: MOST_CHECKS }));
  for await (const page of recordedCases(pages)) cases.push(...page);
  const statement = { checks: cases.length, of, days, since, taken_at: isoTime(nowMs) };
  return { cases, statement };
}

/** The cases in batches, with other work let in between them. Throws the signal's reason once that is given up. */
async function* inBatches({ cases }: Corpus, signal?: AbortSignal): AsyncGenerator<readonly Case[]> {
  for (let from = 0; from < cases.length; from += BATCH) {
    await afterOtherWork();
    signal?.throwIfAborted();
    yield cases.slice(from, from + BATCH);
  }
}

/** What both sets make of the corpus, in the names that leave the process; what is not told here is told in `BacktestReport`. */
export interface Replay
  extends Pick<
    BacktestReport,
    'cases' | 'caveats' | 'confusion' | 'figures' | 'levels' | 'rules' | 'scores' | 'sweep'
  > {
  readonly corpus: CorpusStatement;
  /** Hashes. */
  readonly rule_sets: BySide<string>;
  readonly first: string | null;
  readonly last: string | null;
  readonly flips: { readonly to_block: ReplayFlips; readonly to_allow: ReplayFlips };
  /** From the order to this answer, the reading of the records left out. */
  readonly took_ms: number;
}

interface ReplayFlips {
  readonly counts: Counts;
  /** What changed, the reason of most checks first. */
  readonly reasons: readonly { readonly parts: readonly string[]; readonly counts: Counts }[];
  /** The first few, of every reason some. */
  readonly examples: readonly ReplayExample[];
}

interface ReplayExample extends FlipExample {
  /** Its place among the reasons. */
  readonly reason: number;
  readonly score: BySide<number>;
}

interface ReplayInputs {
  readonly sets: BySide<ComparedSet>;
  readonly corpus: Corpus;
  readonly costRatio: number;
  readonly signal?: AbortSignal | undefined;
}

/** Whose ledgers are shown, each way. */
const MOST_EXAMPLES = 50;
/** Each takes two questions to the rules engine, for every combination of rules that flips. */
const EXAMPLES_OF_A_GROUP = 2;

/** Throws the signal's reason once that is given up. */
export async function replayCorpus({ sets, corpus, costRatio, signal }: ReplayInputs): Promise<Replay> {
  const started = performance.now();
  const report = await runBacktest({
    sets,
    source: {
      kind: 'recorded',
      name: 'the records',
      cases: inBatches(corpus, signal),
      caveats: () => unseenByReplay(sets),
    },
    examples: EXAMPLES_OF_A_GROUP,
    costRatio,
  });
  signal?.throwIfAborted();
  const { source, rule_sets, flips: _all, ...figures } = report;
  return {
    ...figures,
    corpus: corpus.statement,
    rule_sets: { base: rule_sets.base.ruleset, candidate: rule_sets.candidate.ruleset },
    first: source.first,
    last: source.last,
    flips: { to_block: flipsOf(report, 'to_block'), to_allow: flipsOf(report, 'to_allow') },
    took_ms: Math.round(performance.now() - started),
  };
}

function flipsOf(report: BacktestReport, direction: 'to_block' | 'to_allow'): ReplayFlips {
  const reasons = reasonsOf(report, direction);
  const share = Math.max(1, Math.floor(MOST_EXAMPLES / Math.max(reasons.length, 1)));
  const examples = reasons.flatMap(({ groups }, reason) =>
    groups
      .flatMap(({ examples: some, score }) => some.map((example) => ({ ...example, reason, score })))
      .slice(0, share),
  );
  return {
    counts: report.flips[direction].counts,
    reasons: reasons.map(({ parts, counts }) => ({ parts, counts })),
    examples: examples.slice(0, MOST_EXAMPLES),
  };
}
