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

/** `untold`: too few days or checks tell, and none of them fails. */
export type Standing = 'holds' | 'fails' | 'untold';

export type CriterionResult = ReturnType<typeof judge>;

/** At most four decimals in a report; not rounded while it is judged. */
export interface Figure {
  readonly value: number;
  /** Wilson's interval at 95 %, from low to high; for S/O, from the far ends of the intervals of its two rates. */
  readonly interval: readonly [low: number, high: number];
}

export type Promotion = ReturnType<typeof judgePromotion>;

interface Measure {
  /** Null where a day does not tell. Shares are not rounded: at a limit the last decimal decides. */
  figureOf(counts: Seen): Figure | null;
  /** How many checks the figure is of; for S/O the lesser of good and bad. */
  checksIn(counts: Seen): number;
}

type Seen = Pick<DayCounts, 'all' | 'hits'>;

const MEASURES: Readonly<Record<'s_o' | 'hits' | 'false_positives', Measure>> = {
  s_o: {
    figureOf({ all, hits }) {
      const value = spamOverOverall(hits, all);
      return value === null ? null : { value, interval: spamOverOverallInterval(hits, all) };
    },
    checksIn: ({ all }) => Math.min(all.good, all.bad),
  },
  hits: {
    figureOf: ({ all, hits }) => measureShare(totalOf(hits), totalOf(all)),
    checksIn: ({ all }) => totalOf(all),
  },
  false_positives: {
    figureOf: ({ all, hits }) => measureShare(hits.good, all.good),
    checksIn: ({ all }) => all.good,
  },
};

function spamOverOverallInterval(hits: Counts, all: Counts): readonly [number, number] {
  const [bad, good] = [wilson(hits.bad, all.bad), wilson(hits.good, all.good)];
  // One of the two was hit, so neither sum is 0.
  return [bad[0] / (bad[0] + good[1]), bad[1] / (bad[1] + good[0])];
}

function measureShare(count: number, of: number): Figure | null {
  return of === 0 ? null : { value: count / of, interval: wilson(count, of) };
}

/** A limit of 0 or 100 % leaves no room, but still needs a number of checks that are enough. */
const LEAST_ROOM = 0.01;

/** Whether one check alone would be more than there is room for: 1 % of fewer than a hundred. */
function isFew(measure: Measure, counts: Seen, room: number): boolean {
  // In binary numbers 1 - 0.95 is a little more than 0.05, and 1 - 0.9 a little less than 0.1.
  return measure.checksIn(counts) * (room > 0 ? room : LEAST_ROOM) < 1 - 1e-9;
}

/**
 * Judges the latest days that tell, each by itself and all together. Point estimates decide, as in SpamAssassin. A day of few checks does
 * not fail by itself; few checks in all days together fail once the whole interval is beyond the limit.
 */
export function judgePromotion(days: readonly DayCounts[], criteria: PromotionCriteria) {
  const { minSO, minHitPercent, maxFalsePositivePercent, days: needed } = criteria;
  const results = [
    judge('s_o', minSO, days, needed),
    judge('hits', partOf(minHitPercent), days, needed),
    judge('false_positives', partOf(maxFalsePositivePercent), days, needed),
  ];
  const standings = results.map(({ standing }) => standing);
  // `holds` where all hold, `fails` where one fails, else `untold`.
  return { standing: worstOf(standings), criteria: results };
}

function judge(criterion: keyof typeof MEASURES, limit: number, days: readonly DayCounts[], needed: number) {
  const measure = MEASURES[criterion];
  const isMost = criterion === 'false_positives';
  // The part of the checks that the limit leaves room for.
  const room = criterion === 's_o' ? 1 - limit : limit;
  const isWithin = ({ value }: Figure) => (isMost ? value <= limit : value >= limit);
  const isSurelyBeyond = (shown: Figure | null) => {
    if (shown === null) return false;
    const [low, high] = rounded(shown).interval;
    return isMost ? low > limit : high < limit;
  };
  const judged = days
    .flatMap((counts) => {
      const measured = measure.figureOf(counts);
      return measured ? [{ ...measured, counts, few: isFew(measure, counts, room) }] : [];
    })
    .slice(-needed);
  const counted = judged.filter(({ few }) => !few);
  const [worst] = (counted.length > 0 ? counted : judged).toSorted((a, b) =>
    isMost ? b.value - a.value : a.value - b.value,
  );
  const sum = sumOfDays(judged.map(({ counts }) => counts));
  const together = measure.figureOf(sum);
  const isBeyond =
    together !== null &&
    !isWithin(together) &&
    (!isFew(measure, sum, room) || isSurelyBeyond(measure.figureOf(withoutOneGoodHit(sum))));
  let standing: Standing = 'untold';
  if (isBeyond || !counted.every(isWithin)) standing = 'fails';
  else if (judged.length === needed && together !== null && isWithin(together)) standing = 'holds';
  const overall = measure.figureOf(sumOfDays(days));
  return {
    criterion,
    standing,
    // S/O and shares, from 0 to 1.
    limit: roundTo4(limit),
    // The figure of all days together; null when no check tells.
    overall: overall && rounded(overall),
    // The figure of the judged days together.
    latest: together && rounded(together),
    // The worst judged day, of those with enough checks where there are any. `few`: it is beyond the limit but has too few checks to fail.
    worst: worst ? { day: worst.counts.day, ...rounded(worst), few: worst.few && !isWithin(worst) } : null,
    days: { judged: judged.length, needed },
  };
}

/** Without one good check that was hit: one check alone must not decide. */
function withoutOneGoodHit({ all, hits }: Seen): Seen {
  const less = Math.min(1, hits.good);
  return { all: { ...all, good: all.good - less }, hits: { ...hits, good: hits.good - less } };
}

function rounded({ value, interval }: Figure): Figure {
  return { value: roundTo4(value), interval: [roundTo4(interval[0]), roundTo4(interval[1])] };
}

/** `untold` where there is nothing to judge. */
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

/** With good and bad swapped: a rule that takes points away is right where it hits the good. */
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
