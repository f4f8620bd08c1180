import { setImmediate as afterOtherWork } from 'node:timers/promises';
import { DAY_MS, isoTime } from '../../lib/time.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { ReplayQueries } from '../../storage/ports.ts';
import { type BySide, type Case, recordedCases } from '../backtest/case.ts';
import { reasonsOf } from '../backtest/flips.ts';
import {
  type BacktestReport,
  type ComparedSet,
  runBacktest,
  unseenByReplay,
} from '../backtest/run-backtest.ts';

/** Recorded checks in memory, to be judged again and again. */
export type Corpus = Awaited<ReturnType<typeof loadCorpus>>;

/** Some 0.7 kB each in memory, and half a second for both sets to judge them all. */
export const MOST_CHECKS = 100_000;
/** Cases judged before other work is let in: some 10 ms. */
const AT_ONCE = 2_000;

/** Lets other work in before each page: reading and judging a page has no wait in which other work could run. */
export async function* lettingOthersWork<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  for await (const page of pages) {
    await afterOtherWork();
    yield page;
  }
}

/** Loads the newest live checks of the last `days` days, MOST_CHECKS at most. */
export async function loadCorpus(
  records: Pick<ReplayQueries, 'count' | 'pages'>,
  days: number,
  nowMs: number,
  catalogue: FactCatalogue,
) {
  const since = isoTime(nowMs - days * DAY_MS);
  const of = await records.count({ since });
  const pages = lettingOthersWork(records.pages({ since, newest: MOST_CHECKS }));
  const cases: Case[] = [];
  for await (const one of recordedCases(pages, catalogue)) cases.push(one);
  // In the names that leave the process. `of`: all checks of those days, more than `checks` where only the newest were taken.
  const statement = { checks: cases.length, of, days, since, taken_at: isoTime(nowMs) };
  return { cases, statement };
}

/** The cases, with other work let in between them. Throws the signal's reason once it is aborted. */
export async function* casesOf({ cases }: Corpus, signal?: AbortSignal): AsyncGenerator<Case> {
  for (const [index, one] of cases.entries()) {
    if (index % AT_ONCE === 0) await afterOtherWork();
    signal?.throwIfAborted();
    yield one;
  }
}

/** What both sets make of the corpus, in the names that leave the process. */
export type Replay = Awaited<ReturnType<typeof replayCorpus>>;

interface ReplayInputs {
  readonly sets: BySide<ComparedSet>;
  readonly corpus: Corpus;
  readonly costRatio: number;
  readonly signal?: AbortSignal | undefined;
}

/** Examples with ledgers, in each direction. */
const MOST_EXAMPLES = 50;
/** Each example asks the rules engine twice, for every combination of rules that flips. */
const EXAMPLES_OF_A_GROUP = 2;

/** Throws the signal's reason once it is aborted. */
export async function replayCorpus({ sets, corpus, costRatio, signal }: ReplayInputs) {
  const started = performance.now();
  const report = await runBacktest({
    sets,
    source: {
      kind: 'recorded',
      name: 'the records',
      cases: casesOf(corpus, signal),
      caveats: () => unseenByReplay(sets),
    },
    examples: EXAMPLES_OF_A_GROUP,
    costRatio,
  });
  signal?.throwIfAborted();
  const { source, rule_sets, flips: _all, is_judged: _told, ...figures } = report;
  return {
    ...figures,
    corpus: corpus.statement,
    rule_sets: { base: rule_sets.base.ruleset, candidate: rule_sets.candidate.ruleset },
    first: source.first,
    last: source.last,
    flips: { to_block: flipsOf(report, 'to_block'), to_allow: flipsOf(report, 'to_allow') },
    // From the order to this answer, without the reading of the records.
    took_ms: Math.round(performance.now() - started),
  };
}

function flipsOf(report: BacktestReport, direction: 'to_block' | 'to_allow') {
  const reasons = reasonsOf(report, direction);
  const share = Math.max(1, Math.floor(MOST_EXAMPLES / Math.max(reasons.length, 1)));
  const examples = reasons.flatMap(({ groups }, reason) =>
    groups
      .flatMap(({ examples: some, score }) => some.map((example) => ({ ...example, reason, score })))
      .slice(0, share),
  );
  return {
    counts: report.flips[direction].counts,
    // What changed, the reason of most checks first; `reason` of an example is the index of its reason.
    reasons: reasons.map(({ parts, counts }) => ({ parts, counts })),
    examples: examples.slice(0, MOST_EXAMPLES),
  };
}
