import { shareOf, whole } from '../../lib/statistics.ts';
import { isoTime, spokenTime } from '../../lib/time.ts';
import { compileRuleSet, otherFactMakers } from '../../rules/compile.ts';
import { ACTIONS, LEVELS } from '../../rules/decision.ts';
import { datesAhead, type RuleDefinitions } from '../../rules/definitions.ts';
import { type RuleSet, rulesOf } from '../../rules/rule-set.ts';
import type { BySide, Case, Side } from './case.ts';
import { countScores, figureRules, sweep } from './figures.ts';
import { findFlips, type LedgerOf } from './flips.ts';
import { Judge } from './judge.ts';
import { type Cell, type Counts, countWhere, Tally, totalOf } from './tally.ts';

export type ComparedSet = ReturnType<typeof comparedSet>;

/** `directory` is its name in the report. */
export function comparedSet(directory: string, definitions: RuleDefinitions, now: number) {
  const toCome = datesAhead(definitions, now).filter(({ change }) => change === 'starts');
  return { directory, definitions, ruleSet: compileRuleSet(definitions, now), toCome };
}

/** A backtest judges by the rules that act now. Rules that start later do not show in it, and may be published all the same. */
function describeToCome({ toCome }: ComparedSet): readonly string[] {
  return toCome.map(
    ({ id, at }) =>
      `${id} does not act before ${spokenTime(isoTime(at))} and is not in these figures; without its "starts" it would be`,
  );
}

/** Files by which providers make facts and which differ between the sets: a replay of recorded facts cannot show their change. */
export function unseenByReplay({ base, candidate }: BySide<ComparedSet>): readonly string[] {
  return otherFactMakers(base.ruleSet, candidate.ruleSet).map(
    (file) =>
      `${file} differs: facts that were recorded were made by the one in force, so that change is not in these figures; a file of addresses would show it`,
  );
}

/** Cases to be judged, once, in their order. */
export interface CaseSource {
  readonly kind: 'recorded' | 'file';
  /** The database, or the file. */
  readonly name: string;
  readonly cases: AsyncIterable<Case>;
  /** To be called after the last case: why the cases are not the whole truth. */
  readonly caveats: () => readonly string[];
}

export function ruleSetsOf({ base, candidate }: BySide<ComparedSet>): BySide<RuleSet> {
  return { base: base.ruleSet, candidate: candidate.ruleSet };
}

/** The directories and hashes of both sets, as a report names them. */
export function namesOf({ base, candidate }: BySide<ComparedSet>) {
  const nameOf = ({ directory, ruleSet }: ComparedSet) => ({ directory, ruleset: ruleSet.hash });
  return { base: nameOf(base), candidate: nameOf(candidate) };
}

export interface BacktestOrder {
  readonly sets: BySide<ComparedSet>;
  readonly source: CaseSource;
  /** Cases with their ledgers for each group of flips. */
  readonly examples: number;
  /** How many bad signups let in cost as much as one good one turned away. */
  readonly costRatio: number;
  /** Called every thousand cases with the number since the last call. */
  readonly onProgress?: (more: number) => void;
}

const TOLD_AFTER = 1_000;

/** What `rules backtest --json` prints. The same cases and sets give the same octets: no clock is in it. */
export type BacktestReport = Awaited<ReturnType<typeof runBacktest>>;

/** Reads the cases once, in constant memory, judges each by both sets, and says what keeps the figures from being the whole truth. */
export async function runBacktest(order: BacktestOrder) {
  const { sets, source, examples, costRatio, onProgress } = order;
  const ruleSets = ruleSetsOf(sets);
  const judge = new Judge(ruleSets);
  const tally = new Tally(examples);
  for await (const one of source.cases) {
    tally.add(one, await judge.judge(one.facts, one.candidateFacts), ruleSets.base.hash);
    if (tally.total % TOLD_AFTER === 0) onProgress?.(TOLD_AFTER);
  }
  const { cells, all, first, last, total, censored, replayed } = tally;
  const rules = figureRules(cells, all, ruleSets);
  const ledgerOf: LedgerOf = (side, facts) => judge.ledgerOf(side, facts);
  const bySide = <Value>(of: (side: Side) => Value) => ({ base: of('base'), candidate: of('candidate') });
  return {
    rule_sets: namesOf(sets),
    // `first` and `last`: of the earliest and the latest case, ISO 8601 in UTC; null where cases have no time.
    source: { kind: source.kind, name: source.name, first, last },
    // Sentences: which rules could not be judged, in how many cases, for want of which facts.
    ...describeUnjudged(tally, ruleSets, judge.missing, source.kind),
    caveats: [
      ...describeToCome(sets.candidate),
      ...source.caveats(),
      ...describeMissing(judge.missing),
      ...replayCaveat(replayed),
    ],
    // `censored`: answered BLOCK then, and unlabelled. `replayed.differing` above 0 is a bug or a damaged record.
    cases: { total, ...all, censored, replayed },
    // By action, then by label.
    confusion: bySide((side) => confusionOf(cells, side)),
    figures: bySide((side) => figuresOf(cells, all, side)),
    levels: bySide((side) => levelsOf(cells, side)),
    flips: {
      to_block: await findFlips(cells, 'BLOCK', ledgerOf),
      to_allow: await findFlips(cells, 'ALLOW', ledgerOf),
    },
    rules,
    // By score, 0 to 100, then by label.
    scores: bySide((side) => countScores(cells, side)),
    sweep: bySide((side) => sweep(tally, side, ruleSets[side], costRatio)),
  };
}

/** One sentence for all rules that lack the same facts in as many cases; rules for the action are among them. */
function describeUnjudged(
  { cells, total }: Tally,
  ruleSets: BySide<RuleSet>,
  missing: ReadonlyMap<string, number>,
  kind: CaseSource['kind'],
) {
  const sides = [ruleSets.base, ruleSets.candidate];
  const live = sides.flatMap(({ forces, points, actions }) => [...forces, ...points, ...actions]);
  const compiled = sides.flatMap(rulesOf);
  const lack = kind === 'recorded' ? 'checks: their records do not have' : 'rows: these do not have';
  const casesOf = (id: string, side: Side) =>
    totalOf(countWhere(cells, (cell) => cell[side].unjudged.includes(id)));
  const describe = (id: string) => {
    const cases = Math.max(casesOf(id, 'base'), casesOf(id, 'candidate'));
    const reads = compiled.filter((rule) => rule.id === id).flatMap((rule) => rule.reads);
    const facts = [...new Set(reads)].filter((fact) => missing.has(fact)).sort();
    return `could not be judged in ${whole(cases)} of ${whole(total)} ${lack} ${facts.join(', ')}`;
  };
  const open = new Set(cells.flatMap(({ base, candidate }) => [...base.unjudged, ...candidate.unjudged]));
  const told = Map.groupBy([...open].sort(), describe);
  return {
    unjudged: [...told].map(([how, ids]) => `${ids.join(', ')} ${how}`),
    // Where false, no figure of decisions can be relied on.
    is_judged: !live.some(({ id }) => open.has(id)),
  };
}

/** One note for all facts that the same number of records lack, such as those of one new provider. */
function describeMissing(missing: ReadonlyMap<string, number>): readonly string[] {
  const byCases = Map.groupBy(missing.keys(), (fact) => missing.get(fact) ?? 0);
  return [...byCases]
    .toSorted(([a], [b]) => b - a)
    .map(([cases, facts]) => {
      const records = cases === 1 ? '1 record does' : `${whole(cases)} records do`;
      return `${records} not have ${facts.toSorted().join(', ')}: unknown there`;
    });
}

function replayCaveat({ same, differing }: Tally['replayed']): readonly string[] {
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

/** Shares of labelled cases, but for `block_rate`, which is of all. */
function figuresOf(cells: readonly Cell[], all: Counts, side: Side) {
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
