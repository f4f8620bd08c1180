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

/** A day on which 1,000 good and 100 bad were seen; a rule that hits half of the bad and one of the good. */
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
  it('hold when each of enough days is within all limits, and say how far', () => {
    const { standing, criteria } = judgePromotion(days(1, 2, 3), CRITERIA);
    expect(standing).toBe('holds');
    expect(criteria).toEqual([
      {
        criterion: 's_o',
        standing: 'holds',
        limit: 0.95,
        // 50/100 over 50/100 + 1/1000.
        overall: { value: 0.998, interval: null },
        worst: { day: '2026-11-01', value: 0.998, interval: null },
        days: { judged: 3, needed: 3 },
      },
      {
        criterion: 'hits',
        standing: 'holds',
        limit: 0.0002,
        overall: { value: 0.0477, interval: [0.041, 0.0555] },
        worst: { day: '2026-11-01', value: 0.0477, interval: [0.0367, 0.0619] },
        days: { judged: 3, needed: 3 },
      },
      {
        criterion: 'false_positives',
        standing: 'holds',
        limit: 0.01,
        overall: { value: 0.001, interval: [0.0003, 0.0029] },
        worst: { day: '2026-11-01', value: 0.001, interval: [0.0002, 0.0056] },
        days: { judged: 3, needed: 3 },
      },
    ]);
  });

  it.each([
    ['s_o', { hits: { good: 30 } }],
    ['hits', { all: { unlabelled: 1_000_000 } }],
    ['false_positives', { hits: { good: 11, bad: 100 } }],
  ] as const)(
    '%s does not hold when one day is beyond it, whatever the others make of it',
    (criterion, more) => {
      const counts = [aDay(1), aDay(2, more), aDay(3)];
      expect(standings(counts)[criterion]).toBe('fails');
      expect(judgePromotion(counts, CRITERIA).standing).toBe('fails');
      const { worst } =
        judgePromotion(counts, CRITERIA).criteria.find((one) => one.criterion === criterion) ?? {};
      expect(worst?.day).toBe('2026-11-02');
    },
  );

  it('hold at their very limit', () => {
    const atLimit = aDay(1, { hits: { good: 10, bad: 100, unlabelled: 0 } });
    expect(standings([atLimit], { ...CRITERIA, days: 1, minHitPercent: 100 * (110 / 1_110) })).toEqual({
      s_o: 'holds',
      hits: 'holds',
      false_positives: 'holds',
    });
  });

  it('cannot be told of too few days, unless one of them is beyond a limit', () => {
    expect(standings(days(1, 2))).toEqual({ s_o: 'untold', hits: 'untold', false_positives: 'untold' });
    expect(judgePromotion(days(1, 2), CRITERIA).standing).toBe('untold');
    expect(standings([aDay(1, { hits: { good: 500 } })]).false_positives).toBe('fails');
  });

  it('wait for labels: a day without them tells nothing but the hits', () => {
    const counts = [...days(1, 2), aDay(3, UNLABELLED), aDay(4, UNLABELLED)];
    expect(standings(counts)).toEqual({ s_o: 'untold', hits: 'holds', false_positives: 'untold' });
    const labelled = [aDay(5), ...counts].toSorted((a, b) => (a.day < b.day ? -1 : 1));
    expect(standings(labelled)).toMatchObject({ s_o: 'holds', false_positives: 'holds' });
  });

  it('look at the latest days that tell: what was bad before may be mended since', () => {
    const counts = [aDay(1, { hits: { good: 900 } }), ...days(2, 3, 4)];
    expect(judgePromotion(counts, CRITERIA).standing).toBe('holds');
    expect(judgePromotion(counts, { ...CRITERIA, days: 4 }).standing).toBe('fails');
  });

  it('tell nothing of nothing', () => {
    const { standing, criteria } = judgePromotion([], CRITERIA);
    expect(standing).toBe('untold');
    expect(criteria.map(({ overall, worst }) => [overall, worst])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
  });

  it('change good and bad for what takes points away', () => {
    const [day] = mirrored([aDay(1)]);
    expect(day).toMatchObject({ all: { good: 100, bad: 1_000 }, hits: { good: 50, bad: 1 } });
  });
});
