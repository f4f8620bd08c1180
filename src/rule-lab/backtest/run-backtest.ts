import { shareOf } from '../../lib/statistics.ts';
import type { RuleSet } from '../../rules/compile.ts';
import { ACTIONS, LEVELS } from '../../rules/decision.ts';
import type { CaseBatches } from './case.ts';
import { findFlips, Ledgers } from './flips.ts';
import { Judge } from './judge.ts';
import type { BacktestReport, BySide, Figures, Side } from './report.ts';
import { figureRules } from './rule-figures.ts';
import { countScores, sweep } from './sweep.ts';
import { type Cell, type Counts, countWhere, Tally, totalOf } from './tally.ts';

export interface BacktestInputs {
  readonly ruleSets: BySide<RuleSet>;
  readonly cases: CaseBatches;
  /** Cases with their ledgers for each group of flips. */
  readonly examples: number;
  /** How many bad signups let in cost as much as one good one turned away. */
  readonly costRatio: number;
  /** Told after each batch how many cases there were so far, and how many of them in that batch. */
  readonly onProgress?: ((cases: number, more: number) => void) | undefined;
}

/** What the two sets make of the cases; the caller adds what it is called. */
export type BacktestFindings = Omit<BacktestReport, 'rule_sets' | 'source' | 'caveats'> & {
  readonly first: string | null;
  readonly last: string | null;
  /** By fact that a rule reads, in how many cases it was not there. */
  readonly missing: ReadonlyMap<string, number>;
};

/** Reads the cases once, in constant memory, and judges each by both sets. */
export async function runBacktest(inputs: BacktestInputs): Promise<BacktestFindings> {
  const { ruleSets, cases, examples, costRatio, onProgress } = inputs;
  const judge = new Judge(ruleSets);
  const tally = new Tally(examples);
  for await (const batch of cases) {
    const before = tally.total;
    for (const one of batch) {
      const pair = judge.judge(one.facts, one.candidateFacts);
      // Nearly always it is there at once; to await what is there would cost as much as the judging.
      tally.add(one, pair instanceof Promise ? await pair : pair, ruleSets.base.hash);
    }
    onProgress?.(tally.total, tally.total - before);
  }
  const { cells, all } = tally;
  const ledgers = new Ledgers(ruleSets, (facts) => judge.complete(facts));
  const bySide = <Value>(of: (side: Side) => Value) => ({ base: of('base'), candidate: of('candidate') });
  return {
    cases: { total: tally.total, ...all, censored: tally.censored, replayed: tally.replayed },
    confusion: bySide((side) => confusionOf(cells, side)),
    figures: bySide((side) => figuresOf(cells, all, side)),
    levels: bySide((side) => levelsOf(cells, side)),
    flips: {
      to_block: await findFlips(cells, 'BLOCK', ledgers),
      to_allow: await findFlips(cells, 'ALLOW', ledgers),
    },
    rules: figureRules(cells, all, ruleSets),
    scores: bySide((side) => countScores(cells, side)),
    sweep: bySide((side) => sweep({ cells, all, ruleSets, costRatio }, side)),
    first: tally.first,
    last: tally.last,
    missing: judge.missing,
  };
}

function confusionOf(cells: readonly Cell[], side: Side): Record<(typeof ACTIONS)[number], Counts> {
  const counts = ACTIONS.map((action) => [action, countWhere(cells, (cell) => cell[side].action === action)]);
  return Object.fromEntries(counts);
}

function figuresOf(cells: readonly Cell[], all: Counts, side: Side): Figures {
  const { good, bad, unlabelled } = confusionOf(cells, side).BLOCK;
  return {
    block_rate: shareOf(good + bad + unlabelled, totalOf(all)),
    false_positive_rate: shareOf(good, all.good),
    recall: shareOf(bad, all.bad),
    precision: shareOf(bad, good + bad),
  };
}

function levelsOf(cells: readonly Cell[], side: Side): Record<(typeof LEVELS)[number], number> {
  return Object.fromEntries(
    LEVELS.map((level) => [level, totalOf(countWhere(cells, (cell) => cell[side].level === level))]),
  ) as Record<(typeof LEVELS)[number], number>;
}
