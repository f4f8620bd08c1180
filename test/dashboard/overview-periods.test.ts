import { describe, expect, it } from 'vitest';
import type { Overview } from '../../dashboard/src/api/overview.ts';
import { countOf, periodsOf } from '../../dashboard/src/pages/overview/decisions.ts';

function overviewOf(part: Pick<Overview, 'since' | 'until' | 'bucket' | 'buckets'>): Overview {
  return part as Overview;
}

const bucketAt = (begins_at: string): Overview['buckets'][number] => ({
  begins_at,
  decisions: [
    { action: 'ALLOW', level: 'low', checks: 3 },
    { action: 'ALLOW', level: 'medium', checks: 2 },
    { action: 'BLOCK', level: 'high', checks: 1 },
  ],
  latency: { measured: 0, p50_us: null, p95_us: null, p99_us: null },
});

describe('periods of an overview', () => {
  it('are all hours or days that the range touches, also those without a check', () => {
    const at = '2026-11-20T11:00:00.000Z';
    const periods = periodsOf(
      overviewOf({
        since: '2026-11-20T09:30:00.000Z',
        until: '2026-11-20T12:00:00.000Z',
        bucket: 'hour',
        buckets: [bucketAt(at)],
      }),
    );
    expect(periods.map(({ begins_at, bucket }) => [begins_at, bucket?.begins_at])).toEqual([
      ['2026-11-20T09:00:00.000Z', undefined],
      ['2026-11-20T10:00:00.000Z', undefined],
      [at, at],
    ]);
    const [since, until] = ['2026-11-01T23:59:59.999Z', '2026-11-03T00:00:00.001Z'];
    expect(periodsOf(overviewOf({ since, until, bucket: 'day', buckets: [] }))).toHaveLength(3);
  });

  it('count checks by their action, whatever the level', () => {
    const { decisions } = bucketAt('');
    expect([countOf(decisions, 'ALLOW'), countOf(decisions, 'BLOCK'), countOf([], 'BLOCK')]).toEqual([
      5, 1, 0,
    ]);
  });
});
