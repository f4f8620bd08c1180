import { describe, expect, it } from 'vitest';
import { withChanges } from '../../dashboard/src/address.ts';
import {
  formatCompact,
  formatCount,
  formatCounted,
  formatMicroseconds,
  formatPoints,
  formatShare,
} from '../../dashboard/src/format/numbers.ts';
import { addressOf, readRange } from '../../dashboard/src/format/ranges.ts';
import { formatInstant, formatRelative, formatTick } from '../../dashboard/src/format/times.ts';
import { passwordHint, SHORTEST_PASSWORD } from '../../dashboard/src/ui/password-hint.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('numbers', () => {
  it('are grouped, or abbreviated', () => {
    expect([formatCount(1_234_567), formatCompact(1_234_567), formatCompact(950)]).toEqual([
      '1,234,567',
      '1.2M',
      '950',
    ]);
  });

  it.each([
    [0.1234, '12.3 %'],
    [0, '0.0 %'],
    [0.000_04, '< 0.1 %'],
    [1, '100.0 %'],
    [null, '–'],
    [Number.NaN, '–'],
  ])('a share of %s is %j', (share, text) => expect(formatShare(share)).toBe(text));

  it.each([
    [850, '850 µs'],
    [12_340, '12.3 ms'],
    [340_000, '340 ms'],
    [1_200_000, '1.2 s'],
    [null, '–'],
  ])('%s µs are %j', (us, text) => expect(formatMicroseconds(us)).toBe(text));

  it('of things have singular and plural', () => {
    expect([1, 0, 1_422].map((days) => formatCounted(days, 'day'))).toEqual([
      '1 day',
      '0 days',
      '1,422 days',
    ]);
    expect([1, 2].map((entries) => formatCounted(entries, 'entry', 'entries'))).toEqual([
      '1 entry',
      '2 entries',
    ]);
  });

  it('points are written with their sign', () => {
    expect([20, -15, 0].map(formatPoints)).toEqual(['+20', '−15', '0']);
  });
});

describe('times', () => {
  it.each([
    ['2026-11-21T11:59:30Z', 'just now'],
    ['2026-11-21T12:00:20Z', 'in a moment'],
    ['2026-11-21T11:55:00Z', '5 minutes ago'],
    ['2026-11-21T10:00:00Z', '2 hours ago'],
    ['2026-11-20T11:00:00Z', '1 day ago'],
    ['2026-11-19T13:00:00Z', '1 day ago'],
    ['2026-11-23T11:00:00Z', 'in 1 day'],
    ['2026-12-01T12:00:00Z', 'in 10 days'],
    ['2025-08-01T12:00:00Z', '1 year ago'],
  ])('%s is %j', (at, text) => expect(formatRelative(at, NOW)).toBe(text));

  it('an instant is written in UTC', () => {
    expect(formatInstant('2026-11-21T23:50:03+02:00')).toBe('21 Nov 2026, 21:50:03 UTC');
  });
});

it('an axis of hours shows the day where one begins, and an axis of weeks shows days', () => {
  const [midnight, noon] = [new Date('2026-11-21T00:00:00Z'), new Date('2026-11-21T12:00:00Z')];
  const day = 86_400_000;
  expect([formatTick(midnight, day), formatTick(noon, day)]).toEqual(['21 Nov', '12:00']);
  expect([formatTick(midnight, 7 * day), formatTick(noon, 7 * day)]).toEqual(['21 Nov', '21 Nov']);
});

describe('ranges', () => {
  it.each([
    [{ preset: '30d' }],
    [{ from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' }],
  ] as const)('%j is read from the address as it was written, beside other parameters', (range) => {
    const search = withChanges(new URLSearchParams('account=acc_1&range=24h&from=x'), addressOf(range));
    expect(search.get('account')).toBe('acc_1');
    expect(readRange(search)).toEqual(range);
  });

  it.each([
    'range=1y',
    'range=constructor',
    'from=x&to=y',
    'from=2026-11-02&to=2026-11-01',
    'from=2026-11-02',
    '',
  ])('%j falls back to the last 24 hours', (search) =>
    expect(readRange(new URLSearchParams(search))).toEqual({ preset: '24h' }),
  );
});

it('the hint for a new password counts down to the minimum length', () => {
  expect(passwordHint('')).toContain(`At least ${SHORTEST_PASSWORD}`);
  expect(passwordHint('x'.repeat(SHORTEST_PASSWORD - 1))).toBe('1 more character.');
  expect(passwordHint('x'.repeat(SHORTEST_PASSWORD))).toContain('Long enough');
  expect(passwordHint('x'.repeat(20))).toBe('A good length.');
});
