import { describe, expect, it } from 'vitest';
import { goalsTable, isWithinLimit } from '../../bench/report/goals.ts';
import { number, table } from '../../bench/report/table.ts';
import { median, quantile } from '../../bench/support/median.ts';

it('writes three significant digits, and a dash for what could not be measured', () => {
  expect([0.12345, 12.345, 99.96, 1234.5, Number.NaN].map(number)).toEqual([
    '0.123',
    '12.3',
    '100',
    '1,235',
    '–',
  ]);
});

it('aligns numbers right', () => {
  expect(table(['', 'µs'], [['one', '1']])).toBe('|  | µs |\n| --- | --: |\n| one | 1 |');
});

describe('median', () => {
  it('does not depend on the order, and does not change it', () => {
    const values = [9, 1, 5];
    expect(median(values)).toBe(5);
    expect(values).toEqual([9, 1, 5]);
  });
  it('refuses an empty list', () => {
    expect(() => median([])).toThrow('nothing was measured');
  });
  it('is one of the quantiles; the last quantile is the highest value', () => {
    const values = Array.from({ length: 100 }, (_, n) => n);
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([50, 99, 99]);
  });
});

describe('a goal', () => {
  const p99 = { what: 'p99', measured: 3, unit: '×', goal: 2, limit: 3 };
  it('is met up to its limit', () => {
    expect([isWithinLimit(p99), isWithinLimit({ ...p99, measured: 3.1 })]).toEqual([true, false]);
  });
  it('that could not be measured is not met', () => {
    expect(isWithinLimit({ ...p99, measured: Number.NaN })).toBe(false);
  });
  it('that is missed is marked in the table', () => {
    expect(goalsTable([{ ...p99, measured: 4 }])).toContain('| p99 | 4× | ≤ 2× | ≤ 3× | **no** |');
  });
});
