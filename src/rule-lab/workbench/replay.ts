import type { ComparedSet } from '../backtest/compared-set.ts';
import { unseenByReplay } from '../backtest/compared-set.ts';
import { reasonsOf } from '../backtest/flip-reasons.ts';
import type { BacktestReport, BySide, FlipExample } from '../backtest/report.ts';
import { reportBacktest } from '../backtest/report-backtest.ts';
import type { Counts } from '../backtest/tally.ts';
import { type Corpus, type CorpusStatement, inBatches } from './corpus.ts';

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

export interface ReplayFlips {
  readonly counts: Counts;
  /** What changed, the reason of most checks first. */
  readonly reasons: readonly { readonly parts: readonly string[]; readonly counts: Counts }[];
  /** The first few, of every reason some. */
  readonly examples: readonly ReplayExample[];
}

export interface ReplayExample extends FlipExample {
  /** Its place among the reasons. */
  readonly reason: number;
  readonly score: BySide<number>;
}

export interface ReplayInputs {
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
  const report = await reportBacktest({
    sets,
    source: {
      kind: 'recorded',
      name: 'the records',
      cases: inBatches(corpus, signal),
      length: corpus.cases.length,
      position: (cases) => cases,
      caveats: () => unseenByReplay(sets),
      leftOut: () => 0,
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
