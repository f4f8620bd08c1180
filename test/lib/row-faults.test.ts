import { describe, expect, it } from 'vitest';
import { RowFaults } from '../../src/lib/row-file.ts';

function faultsOf(...rows: readonly (readonly [line: number, reason: string])[]): RowFaults {
  const faults = new RowFaults();
  for (const [line, reason] of rows) faults.add(line, reason);
  return faults;
}

describe('the faults of rows', () => {
  it('are listed by reason, in order of occurrence', () => {
    const faults = faultsOf([2, 'a'], [3, 'b'], [5, 'a']);
    expect(faults.count).toBe(3);
    expect(faults.all).toEqual([
      { reason: 'a', rows: 2, lines: [2, 5] },
      { reason: 'b', rows: 1, lines: [3] },
    ]);
    expect(faults.describe('x.csv')).toEqual(['x.csv:2 a (so is line 5)', 'x.csv:3 b']);
  });

  it('of many rows are listed with some of the line numbers', () => {
    const rows = Array.from({ length: 14 }, (_, index) => [index + 1, 'a'] as const);
    expect(faultsOf(...rows).describe('x.csv')).toEqual([
      'x.csv:1 a (so are lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more)',
    ]);
  });

  it('that each quote a value are limited in number, and counted to the last', () => {
    const rows = Array.from({ length: 250 }, (_, index) => [index + 1, `value ${index}`] as const);
    const faults = faultsOf(...rows);
    expect(faults.count).toBe(250);
    expect(faults.describe('x.csv')).toHaveLength(101);
    expect(faults.describe('x.csv').at(-1)).toBe('x.csv: 150 rows more, for other reasons');
  });
});
