import { describe, expect, it } from 'vitest';
import { goalsTable, isMet } from '../../bench/report/goals.ts';
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

it('aligns numbers to the right', () => {
  expect(table(['', 'µs'], [['one', '1']])).toBe('|  | µs |\n| --- | --: |\n| one | 1 |');
});

describe('median', () => {
  it('does not depend on the order, nor change it', () => {
    const values = [9, 1, 5];
    expect(median(values)).toBe(5);
    expect(values).toEqual([9, 1, 5]);
  });
  it('refuses to make a number of nothing', () => {
    expect(() => median([])).toThrow('nothing was measured');
  });
  it('is one of the quantiles; the last is the highest value', () => {
    const values = Array.from({ length: 100 }, (_, n) => n);
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([50, 99, 99]);
  });
});

describe('a goal', () => {
  const floor = { what: 'share', measured: 0.4, unit: '×', floor: 0.45, aim: 0.7 };
  const ceiling = { what: 'time', measured: 9, unit: ' µs', floor: 10, isCeiling: true } as const;
  it('is met from its floor on, or up to its ceiling', () => {
    expect([isMet(floor), isMet({ ...floor, measured: 0.45 })]).toEqual([false, true]);
    expect([isMet(ceiling), isMet({ ...ceiling, measured: 10.1 })]).toEqual([true, false]);
  });
  it('that could not be measured is not met', () => {
    expect([isMet({ ...floor, measured: Number.NaN }), isMet({ ...ceiling, measured: Number.NaN })]).toEqual([
      false,
      false,
    ]);
  });
  it('that is missed stands out in the table', () => {
    expect(goalsTable([floor])).toContain('| share | 0.4× | ≥ 0.45× | ≥ 0.7× | **no** |');
  });
});
