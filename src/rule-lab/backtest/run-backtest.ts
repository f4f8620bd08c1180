import { shareOf, whole } from '../../lib/statistics.ts';
import { compileRuleSet, otherFactMakers } from '../../rules/compile.ts';
import { ACTIONS, LEVELS } from '../../rules/decision.ts';
import type { RuleDefinitions } from '../../rules/definitions.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import type { FactCatalogue } from '../../signals/signals.ts';
import type { BySide, CaseBatches, Counts, Side } from './case.ts';
import { countScores, figureRules, sweep } from './figures.ts';
import { findFlips, type LedgerOf } from './flips.ts';
import { Judge } from './judge.ts';
import type { BacktestReport, Figures, Source } from './report.ts';
import { type Cell, countWhere, Tally, totalOf } from './tally.ts';

/** One side of a comparison. */
export interface ComparedSet {
  /** Its name in the report. */
  readonly directory: string;
  readonly definitions: RuleDefinitions;
  readonly ruleSet: RuleSet;
}

export function comparedSet(
  directory: string,
  definitions: RuleDefinitions,
  catalogue: FactCatalogue,
  now: number,
): ComparedSet {
  return { directory, definitions, ruleSet: compileRuleSet(definitions, catalogue, now) };
}

/** What differs between the sets before any rule is asked, and facts that are as they are cannot show. */
export function unseenByReplay({ base, candidate }: BySide<ComparedSet>): readonly string[] {
  return otherFactMakers(base.ruleSet, candidate.ruleSet).map(
    (file) =>
      `${file} differs: facts that were recorded were made by the one in force, so that change is not in these figures; a file of addresses would show it`,
  );
}

/** Cases to be judged, once, in their order. */
export interface CaseSource extends Pick<Source, 'kind' | 'name'> {
  readonly cases: CaseBatches;
  /** What `position` will be at the end; null when that cannot be known. */
  readonly length: number | null;
  /** How far the reading has come, when so many cases have been judged. */
  readonly position: (cases: number) => number;
  /** To be asked after the last case: what keeps them from being the whole truth. */
  readonly caveats: () => readonly string[];
  /** To be asked after the last case: rows that are no case, since they cannot be read. */
  readonly leftOut: () => number;
}

export interface BacktestOrder {
  readonly sets: BySide<ComparedSet>;
  readonly source: Pick<CaseSource, 'kind' | 'name' | 'cases' | 'caveats'>;
  /** Cases with their ledgers for each group of flips. */
  readonly examples: number;
  /** How many bad signups let in cost as much as one good one turned away. */
  readonly costRatio: number;
  /** Told after each batch how many cases there were so far, and how many of them in that batch. */
  readonly onProgress?: ((cases: number, more: number) => void) | undefined;
}

/** Reads the cases once, in constant memory, judges each by both sets, and says what keeps the figures from being the whole truth. */
export async function runBacktest(order: BacktestOrder): Promise<BacktestReport> {
  const { sets, source, examples, costRatio, onProgress } = order;
  const ruleSets = { base: sets.base.ruleSet, candidate: sets.candidate.ruleSet };
  const judge = new Judge(ruleSets);
  const tally = new Tally(examples);
  for await (const batch of source.cases) {
    const before = tally.total;
    for (const one of batch) {
      const pair = judge.judge(one.facts, one.candidateFacts);
      // Nearly always it is there at once; to await what is there would cost as much as the judging.
      tally.add(one, pair instanceof Promise ? await pair : pair, ruleSets.base.hash);
    }
    onProgress?.(tally.total, tally.total - before);
  }
  const { cells, all, first, last, total, censored, replayed } = tally;
  const ledgerOf: LedgerOf = (side, facts) => judge.ledgerOf(side, facts);
  const bySide = <Value>(of: (side: Side) => Value) => ({ base: of('base'), candidate: of('candidate') });
  return {
    rule_sets: bySide((side) => ({ directory: sets[side].directory, ruleset: ruleSets[side].hash })),
    source: { kind: source.kind, name: source.name, first, last },
    caveats: [...source.caveats(), ...describeMissing(judge.missing), ...replayCaveat(replayed)],
    cases: { total, ...all, censored, replayed },
    confusion: bySide((side) => confusionOf(cells, side)),
    figures: bySide((side) => figuresOf(cells, all, side)),
    levels: bySide((side) => levelsOf(cells, side)),
    flips: {
      to_block: await findFlips(cells, 'BLOCK', ledgerOf),
      to_allow: await findFlips(cells, 'ALLOW', ledgerOf),
    },
    rules: figureRules(cells, all, ruleSets),
    scores: bySide((side) => countScores(cells, side)),
    sweep: bySide((side) => sweep({ cells, all, ruleSets, costRatio }, side)),
  };
}

/** One note of all facts that the same number of records lack, as those of one new provider do. */
function describeMissing(missing: ReadonlyMap<string, number>): readonly string[] {
  const byCases = Map.groupBy(missing.keys(), (fact) => missing.get(fact) ?? 0);
  return [...byCases]
    .toSorted(([a], [b]) => b - a)
    .map(([cases, facts]) => {
      const records = cases === 1 ? '1 record does' : `${whole(cases)} records do`;
      return `${records} not have ${facts.toSorted().join(', ')}: unknown there`;
    });
}

function replayCaveat({ same, differing }: BacktestReport['cases']['replayed']): readonly string[] {
  if (differing === 0) return [];
  const [all, some] = [same + differing, differing].map(whole);
  return [
    `of ${all} checks that these very rules had decided, ${some} come out otherwise now: a rule reads a fact that records do not keep, or the records were changed`,
  ];
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
