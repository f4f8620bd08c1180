import type { Config } from '../../app/config/config.ts';
import { partOf, roundTo4, wilson } from '../../lib/statistics.ts';
import { spamOverOverall } from '../backtest/figures.ts';
import { addCounts, type Counts, noCounts, totalOf } from '../backtest/tally.ts';

/**
 * `rules.promotion`: what has to hold before something that is tried may count. The defaults are SpamAssassin's for the
 * promotion of a rule (RulesProjPromotion): S/O at least 0.95, hits at least 0.02 %, false positives at most 1 %, on each of
 * five days. S/O goes from 0 to 1; hits are in per cent of all checks, false positives in per cent of the good.
 */
export type PromotionCriteria = Config['rules']['promotion'];

/** `untold`: too few days that tell, and no day on which it does not hold. */
export type Standing = 'holds' | 'fails' | 'untold';

export type CriterionResult = ReturnType<typeof judge>;

/** At most four decimals. */
export interface Figure {
  readonly value: number;
  /** Wilson's at 95 %, from low to high; null for S/O, which is no share of checks. */
  readonly interval: readonly [low: number, high: number] | null;
}

export type Promotion = ReturnType<typeof judgePromotion>;

/** Null where a day does not tell. Shares are not rounded: at a limit the last decimal decides. */
type Measure = (counts: Pick<DayCounts, 'all' | 'hits'>) => Figure | null;

const MEASURES: Readonly<Record<'s_o' | 'hits' | 'false_positives', Measure>> = {
  s_o({ all, hits }) {
    const value = spamOverOverall(hits, all);
    return value === null ? null : { value, interval: null };
  },
  hits: ({ all, hits }) => measureShare(totalOf(hits), totalOf(all)),
  false_positives: ({ all, hits }) => measureShare(hits.good, all.good),
};

function measureShare(count: number, of: number): Figure | null {
  return of === 0 ? null : { value: count / of, interval: wilson(count, of) };
}

/** Judges the latest days that tell, each by itself. Point estimates decide, as SpamAssassin's do; intervals are shown. */
export function judgePromotion(days: readonly DayCounts[], criteria: PromotionCriteria) {
  const { minSO, minHitPercent, maxFalsePositivePercent, days: needed } = criteria;
  const results = [
    judge('s_o', minSO, days, needed),
    judge('hits', partOf(minHitPercent), days, needed),
    judge('false_positives', partOf(maxFalsePositivePercent), days, needed),
  ];
  const standings = results.map(({ standing }) => standing);
  // All hold; one fails; or neither can be told.
  return { standing: worstOf(standings), criteria: results };
}

function judge(criterion: keyof typeof MEASURES, limit: number, days: readonly DayCounts[], needed: number) {
  const measure = MEASURES[criterion];
  const isMost = criterion === 'false_positives';
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
    criterion,
    standing,
    // S/O from 0 to 1; the others shares, from 0 to 1.
    limit: roundTo4(limit),
    // Of all days together; null when no check tells.
    overall: overall && rounded(overall),
    // Of the days that were judged, the one farthest from the limit. A day without the labels that it takes is none.
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
