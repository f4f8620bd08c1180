import { partOf, roundTo4, wilson } from '../../lib/statistics.ts';
import type { Counts } from '../backtest/case.ts';
import { spamOverOverall } from '../backtest/figures.ts';
import { addCounts, noCounts, totalOf } from '../backtest/tally.ts';

/**
 * `rules.promotion`: what has to hold before something that is tried may count. The defaults are SpamAssassin's for the
 * promotion of a rule (RulesProjPromotion): S/O at least 0.95, hits at least 0.02 %, false positives at most 1 %, on each of
 * five days.
 */
export interface PromotionCriteria {
  /** From 0 to 1. */
  readonly minSO: number;
  /** In per cent of all checks. */
  readonly minHitPercent: number;
  /** In per cent of the good. */
  readonly maxFalsePositivePercent: number;
  /** How many days it takes. */
  readonly days: number;
}

/** `untold`: too few days that tell, and no day on which it does not hold. */
export type Standing = 'holds' | 'fails' | 'untold';

export interface CriterionResult {
  readonly criterion: 's_o' | 'hits' | 'false_positives';
  readonly standing: Standing;
  /** S/O from 0 to 1; the others shares, from 0 to 1. */
  readonly limit: number;
  /** Of all days together; null when no check tells. */
  readonly overall: Figure | null;
  /** Of the days that were judged, the one farthest from the limit. */
  readonly worst: (Figure & { readonly day: string }) | null;
  /** How many days were judged, of how many it takes; a day without the labels that it takes is none. */
  readonly days: { readonly judged: number; readonly needed: number };
}

/** At most four decimals. */
export interface Figure {
  readonly value: number;
  /** Wilson's at 95 %, from low to high; null for S/O, which is no share of checks. */
  readonly interval: readonly [low: number, high: number] | null;
}

export interface Promotion {
  /** All hold; one fails; or neither can be told. */
  readonly standing: Standing;
  readonly criteria: readonly CriterionResult[];
}

interface Criterion {
  readonly criterion: CriterionResult['criterion'];
  readonly limit: number;
  readonly isMost: boolean;
  /** Null where a day does not tell. Shares are not rounded: at a limit the last decimal decides. */
  readonly measure: (counts: Pick<DayCounts, 'all' | 'hits'>) => Figure | null;
}

/** Judges the latest days that tell, each by itself. Point estimates decide, as SpamAssassin's do; intervals are shown. */
export function judgePromotion(days: readonly DayCounts[], criteria: PromotionCriteria): Promotion {
  const results = criteriaOf(criteria).map((criterion) => judge(criterion, days, criteria.days));
  const standings = results.map(({ standing }) => standing);
  return { standing: worstOf(standings), criteria: results };
}

function criteriaOf({
  minSO,
  minHitPercent,
  maxFalsePositivePercent,
}: PromotionCriteria): readonly Criterion[] {
  return [
    { criterion: 's_o', limit: minSO, isMost: false, measure: measureSO },
    {
      criterion: 'hits',
      limit: partOf(minHitPercent),
      isMost: false,
      measure: ({ all, hits }) => measureShare(totalOf(hits), totalOf(all)),
    },
    {
      criterion: 'false_positives',
      limit: partOf(maxFalsePositivePercent),
      isMost: true,
      measure: ({ all, hits }) => measureShare(hits.good, all.good),
    },
  ];
}

function measureSO({ all, hits }: Pick<DayCounts, 'all' | 'hits'>): Figure | null {
  const value = spamOverOverall(hits, all);
  return value === null ? null : { value, interval: null };
}

function measureShare(count: number, of: number): Figure | null {
  return of === 0 ? null : { value: count / of, interval: wilson(count, of) };
}

function judge(criterion: Criterion, days: readonly DayCounts[], needed: number): CriterionResult {
  const { isMost, limit, measure } = criterion;
  const judged = days
    .flatMap((counts) => {
      const measured = measure(counts);
      return measured ? [{ day: counts.day, ...measured }] : [];
    })
    .slice(-needed);
  const [worst] = judged.toSorted((a, b) => (isMost ? b.value - a.value : a.value - b.value));
  const holds = judged.every(({ value }) => (isMost ? value <= limit : value >= limit));
  let standing: Standing = 'untold';
  if (!holds) standing = 'fails';
  else if (judged.length === needed) standing = 'holds';
  const overall = measure(sumOfDays(days));
  return {
    criterion: criterion.criterion,
    standing,
    limit: roundTo4(limit),
    overall: overall && rounded(overall),
    worst: worst ? { day: worst.day, ...rounded(worst) } : null,
    days: { judged: judged.length, needed },
  };
}

function rounded({ value, interval }: Figure): Figure {
  return { value: roundTo4(value), interval: interval && [roundTo4(interval[0]), roundTo4(interval[1])] };
}

/** Of nothing to judge nothing can be told. */
export function worstOf(standings: readonly Standing[]): Standing {
  if (standings.includes('fails')) return 'fails';
  return standings.length > 0 && standings.every((standing) => standing === 'holds') ? 'holds' : 'untold';
}

/** What was seen on one day in UTC: all checks on which something was tried, and those that it hit. */
export interface DayCounts {
  /** `2026-11-20` */
  readonly day: string;
  readonly all: Counts;
  readonly hits: Counts;
}

/** With good and bad in each other's place: a rule that takes points away is right where it hits the good. */
export function mirrored(days: readonly DayCounts[]): readonly DayCounts[] {
  const swap = ({ good, bad, unlabelled }: Counts): Counts => ({ good: bad, bad: good, unlabelled });
  return days.map(({ day, all, hits }) => ({ day, all: swap(all), hits: swap(hits) }));
}

export function sumOfDays(days: readonly DayCounts[]): Pick<DayCounts, 'all' | 'hits'> {
  const sum = { all: noCounts(), hits: noCounts() };
  for (const { all, hits } of days) {
    addCounts(sum.all, all);
    addCounts(sum.hits, hits);
  }
  return sum;
}
