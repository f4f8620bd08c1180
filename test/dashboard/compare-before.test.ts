import { describe, expect, it } from 'vitest';
import {
  checksBefore,
  compareAmounts,
  compareShares,
  periodBefore,
} from '../../dashboard/src/pages/overview/compare-before.ts';

describe('the period before', () => {
  it.each([
    [{ preset: '24h' }, 'the 24 hours before'],
    [{ preset: '7d' }, 'the 7 days before'],
    [{ from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T11:00:00.000Z' }, 'the hour before'],
    [{ from: '2026-11-20T10:00:00.000Z', to: '2026-11-21T20:00:00.000Z' }, 'the 34 hours before'],
    [{ from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T10:20:00.000Z' }, 'as long a time before'],
  ] as const)('%j is called "%s"', (range, name) => {
    expect(periodBefore(range)).toBe(name);
  });

  it('shows the change of a figure, and nothing where a value was not measured', () => {
    expect([
      compareAmounts(112, 100, 'then'),
      compareAmounts(1, 2, 'then'),
      compareAmounts(1000, 1001, 'then'),
      compareAmounts(30_000, 2, 'then'),
      compareAmounts(7, 0, 'then'),
      compareAmounts(null, 7, 'then'),
      compareAmounts(7, null, 'then'),
    ]).toEqual([
      '+12 % against then',
      '−50 % against then',
      '±0 % against then',
      '+1,499,900 % against then',
      'none in then',
      undefined,
      undefined,
    ]);
  });

  it('shows the change of a share in percentage points', () => {
    expect([compareShares(0.121, 0.1, 'then'), compareShares(0, 0.25, 'then')]).toEqual([
      '+2.1 points against then',
      '−25 points against then',
    ]);
  });

  it('is aligned with the hours of the current period, although it was requested some seconds later', () => {
    const at = (day: number, hour: number) => `2026-11-${day}T${String(hour).padStart(2, '0')}:00:00.000Z`;
    const bucket = (begins_at: string, checks: number) => ({
      begins_at,
      decisions: [{ action: 'ALLOW' as const, level: 'low' as const, checks }],
      latency: { measured: 0, p50_us: null, p95_us: null, p99_us: null },
    });
    expect(
      checksBefore(
        [at(20, 9), at(20, 10), at(20, 11)],
        { since: '2026-11-20T09:29:00.000Z', bucket: 'hour' },
        { since: '2026-11-19T09:30:00.000Z', buckets: [bucket(at(19, 9), 3), bucket(at(19, 11), 5)] },
      ),
    ).toEqual([3, 0, 5]);
  });
});
