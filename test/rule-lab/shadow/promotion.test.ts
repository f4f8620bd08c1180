import { describe, expect, it } from 'vitest';
import {
  type DayCounts,
  judgePromotion,
  mirrored,
  type PromotionCriteria,
} from '../../../src/rule-lab/shadow/promotion.ts';

const CRITERIA: PromotionCriteria = {
  minSO: 0.95,
  minHitPercent: 0.02,
  maxFalsePositivePercent: 1,
  days: 3,
};

/** A day with 1,000 good and 100 bad cases; a rule that hits half of the bad and one of the good. */
function aDay(day: number, more: { all?: object; hits?: object } = {}): DayCounts {
  return {
    day: `2026-11-${String(day).padStart(2, '0')}`,
    all: { good: 1_000, bad: 100, unlabelled: 10, ...more.all },
    hits: { good: 1, bad: 50, unlabelled: 2, ...more.hits },
  };
}
const UNLABELLED = { all: { good: 0, bad: 0 }, hits: { good: 0, bad: 0 } };
const days = (...numbers: readonly number[]) => numbers.map((number) => aDay(number));
const standings = (counts: readonly DayCounts[], criteria = CRITERIA) =>
  Object.fromEntries(
    judgePromotion(counts, criteria).criteria.map(({ criterion, standing }) => [criterion, standing]),
  );

describe('the criteria of promotion', () => {
  it('are met when each of enough days is within all limits, with the margin', () => {
    const { standing, criteria } = judgePromotion(days(1, 2, 3), CRITERIA);
    expect(standing).toBe('holds');
    expect(criteria).toEqual([
      {
        criterion: 's_o',
        standing: 'holds',
        limit: 0.95,
        // 50/100 over 50/100 + 1/1000.
        overall: { value: 0.998, interval: [0.9934, 0.9994] },
        latest: { value: 0.998, interval: [0.9934, 0.9994] },
        worst: { day: '2026-11-01', value: 0.998, interval: [0.9862, 0.9997], few: false },
        days: { judged: 3, needed: 3 },
      },
      {
        criterion: 'hits',
        standing: 'holds',
        limit: 0.0002,
        overall: { value: 0.0477, interval: [0.041, 0.0555] },
        latest: { value: 0.0477, interval: [0.041, 0.0555] },
        worst: { day: '2026-11-01', value: 0.0477, interval: [0.0367, 0.0619], few: false },
        days: { judged: 3, needed: 3 },
      },
      {
        criterion: 'false_positives',
        standing: 'holds',
        limit: 0.01,
        overall: { value: 0.001, interval: [0.0003, 0.0029] },
        latest: { value: 0.001, interval: [0.0003, 0.0029] },
        worst: { day: '2026-11-01', value: 0.001, interval: [0.0002, 0.0056], few: false },
        days: { judged: 3, needed: 3 },
      },
    ]);
  });

  it.each([
    ['s_o', { hits: { good: 30 } }],
    ['hits', { all: { unlabelled: 1_000_000 } }],
    ['false_positives', { hits: { good: 11, bad: 100 } }],
  ] as const)('%s is not met when one day is beyond it, whatever the other criteria', (criterion, more) => {
    const counts = [aDay(1), aDay(2, more), aDay(3)];
    expect(standings(counts)[criterion]).toBe('fails');
    expect(judgePromotion(counts, CRITERIA).standing).toBe('fails');
    const { worst } =
      judgePromotion(counts, CRITERIA).criteria.find((one) => one.criterion === criterion) ?? {};
    expect(worst?.day).toBe('2026-11-02');
  });

  it('are met exactly at their limit', () => {
    const atLimit = aDay(1, { hits: { good: 10, bad: 100, unlabelled: 0 } });
    expect(standings([atLimit], { ...CRITERIA, days: 1, minHitPercent: 100 * (110 / 1_110) })).toEqual({
      s_o: 'holds',
      hits: 'holds',
      false_positives: 'holds',
    });
  });

  it('are undecided with too few days, unless one of them is beyond a limit', () => {
    expect(standings(days(1, 2))).toEqual({ s_o: 'untold', hits: 'untold', false_positives: 'untold' });
    expect(judgePromotion(days(1, 2), CRITERIA).standing).toBe('untold');
    expect(standings([aDay(1, { hits: { good: 500 } })]).false_positives).toBe('fails');
  });

  it('are undecided without labels: a day without them only shows the hits', () => {
    const counts = [...days(1, 2), aDay(3, UNLABELLED), aDay(4, UNLABELLED)];
    expect(standings(counts)).toEqual({ s_o: 'untold', hits: 'holds', false_positives: 'untold' });
    const labelled = [aDay(5), ...counts].toSorted((a, b) => (a.day < b.day ? -1 : 1));
    expect(standings(labelled)).toMatchObject({ s_o: 'holds', false_positives: 'holds' });
  });

  it('are not failed by a day on which one label decides: it is shown with its interval', () => {
    // One good signup, and the rule hit it.
    const few = aDay(3, { all: { good: 1, bad: 1 }, hits: { good: 1, bad: 0 } });
    const { standing, criteria } = judgePromotion([...days(1, 2), few], CRITERIA);
    expect(standing).toBe('holds');
    expect(criteria.map(({ worst }) => worst?.day)).toEqual(['2026-11-01', '2026-11-01', '2026-11-01']);
    const alone = judgePromotion([few], CRITERIA);
    expect(alone.standing).toBe('untold');
    expect(alone.criteria.map(({ worst }) => worst)).toMatchObject([
      { value: 0, few: true },
      { value: 0.25, few: false },
      { value: 1, interval: [0.2065, 1], few: true },
    ]);
  });

  it('are not met when days of few labels are beyond a limit together, whatever their intervals', () => {
    // Two of twenty good ones: one such day proves little.
    const few = (day: number) => aDay(day, { all: { good: 20 }, hits: { good: 2 } });
    expect(standings([few(1)]).false_positives).toBe('untold');
    const { criteria } = judgePromotion([few(1), few(2), few(3)], CRITERIA);
    expect(criteria[2]).toMatchObject({ standing: 'fails', latest: { value: 0.1 } });
  });

  it.each([
    ['s_o', 19, 20, 2],
    ['false_positives', 99, 100, 2],
  ] as const)(
    'use a day for %s if it has enough labels for one case within the limit',
    (criterion, few, enough, good) => {
      const of = (labels: number) =>
        aDay(1, { all: { good: labels, bad: labels }, hits: { good, bad: labels } });
      expect(standings([of(few)])[criterion]).toBe('untold');
      expect(standings([of(enough)])[criterion]).toBe('fails');
    },
  );

  it('use a day for a limit of zero from a hundred labels on', () => {
    const strict = { ...CRITERIA, maxFalsePositivePercent: 0 };
    const of = (good: number) => aDay(1, { all: { good }, hits: { good: 1 } });
    expect(standings([of(99)], strict).false_positives).toBe('untold');
    expect(standings([of(100)], strict).false_positives).toBe('fails');
  });

  it('use the latest days with enough data: an earlier fault may be fixed since', () => {
    const counts = [aDay(1, { hits: { good: 900 } }), ...days(2, 3, 4)];
    expect(judgePromotion(counts, CRITERIA).standing).toBe('holds');
    expect(judgePromotion(counts, { ...CRITERIA, days: 4 }).standing).toBe('fails');
  });

  it('are undecided without data', () => {
    const { standing, criteria } = judgePromotion([], CRITERIA);
    expect(standing).toBe('untold');
    expect(criteria.map(({ overall, worst }) => [overall, worst])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
  });

  it('exchange good and bad for a rule that takes points away', () => {
    const [day] = mirrored([aDay(1)]);
    expect(day).toMatchObject({ all: { good: 100, bad: 1_000 }, hits: { good: 50, bad: 1 } });
  });
});
