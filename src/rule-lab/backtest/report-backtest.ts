import { whole } from '../../lib/statistics.ts';
import type { CaseBatches } from './case.ts';
import type { ComparedSet } from './compared-set.ts';
import type { BacktestReport, BySide, Source } from './report.ts';
import { type BacktestInputs, runBacktest } from './run-backtest.ts';

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

export interface ReportingOptions extends Pick<BacktestInputs, 'examples' | 'costRatio' | 'onProgress'> {
  readonly sets: BySide<ComparedSet>;
  readonly source: CaseSource;
}

/** Judges the cases by both sets, and says what keeps the figures from being the whole truth. */
export async function reportBacktest({
  sets,
  source,
  ...options
}: ReportingOptions): Promise<BacktestReport> {
  const ruleSets = { base: sets.base.ruleSet, candidate: sets.candidate.ruleSet };
  const { first, last, missing, ...findings } = await runBacktest({
    ...options,
    ruleSets,
    cases: source.cases,
  });
  return {
    rule_sets: { base: nameOf(sets.base), candidate: nameOf(sets.candidate) },
    source: { kind: source.kind, name: source.name, first, last },
    caveats: [...source.caveats(), ...describeMissing(missing), ...replayCaveat(findings.cases)],
    ...findings,
  };
}

function nameOf({ directory, ruleSet }: ComparedSet) {
  return { directory, ruleset: ruleSet.hash };
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

function replayCaveat({ replayed: { same, differing } }: BacktestReport['cases']): readonly string[] {
  if (differing === 0) return [];
  const [all, some] = [same + differing, differing].map(whole);
  return [
    `of ${all} checks that these very rules had decided, ${some} come out otherwise now: a rule reads a fact that records do not keep, or the records were changed`,
  ];
}
