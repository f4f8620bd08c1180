import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percentilesOf, roundDuration } from '../../src/insights/tally.ts';

describe('roundDuration', () => {
  it('keeps two significant digits', () => {
    expect([0, 7, 99, 104, 105, 1_249, 99_600, 1_234_567].map(roundDuration)).toEqual([
      0, 7, 99, 100, 110, 1_200, 100_000, 1_200_000,
    ]);
  });

  it('is never more than 5 % from the measured value, and rounding twice changes nothing', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), (us) => {
        const rounded = roundDuration(us);
        expect(Math.abs(rounded - us)).toBeLessThanOrEqual(us * 0.05);
        expect(roundDuration(rounded)).toBe(rounded);
      }),
    );
  });
});

describe('percentilesOf', () => {
  it('is the value of the sorted list at its nearest rank', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1 }), (all) => {
        const counts = new Map<number, number>();
        for (const us of all) counts.set(us, (counts.get(us) ?? 0) + 1);
        const sorted = all.toSorted((a, b) => a - b);
        const at = (share: number) => sorted[Math.ceil(all.length * share) - 1];
        expect(percentilesOf(counts)).toEqual({
          measured: all.length,
          p50_us: at(0.5),
          p95_us: at(0.95),
          p99_us: at(0.99),
        });
      }),
    );
  });

  it('is null where nothing was measured', () => {
    expect(percentilesOf(new Map())).toEqual({ measured: 0, p50_us: null, p95_us: null, p99_us: null });
  });
});
