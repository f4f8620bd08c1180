import { describe, expect, it } from 'vitest';
import { isoTime, readInstant } from '../../src/lib/time.ts';

describe('isoTime', () => {
  it('equals the output of Date, whatever was formatted before', () => {
    for (const ms of [0, 0, 1_763_634_600_123, 1_763_634_600_124, 0, -1]) {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }
  });

  it('throws for an invalid time, and works afterwards', () => {
    expect(() => isoTime(Number.NaN)).toThrow(RangeError);
    expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe('readInstant', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00+01:00', '2026-11-20T07:00:00.000Z'],
    ['2028-02-29T23:59:59.1234-00:30', '2028-03-01T00:29:59.123Z'],
  ])('reads %s', (text, instant) => {
    expect(readInstant(text)).toBe(instant);
  });

  it.each([
    '',
    '2026',
    '2026-11-20T08:00:00',
    '2026-13-01',
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '20/11/2026',
    'now',
  ])('refuses %j instead of guessing', (text) => {
    expect(readInstant(text)).toBeNull();
  });
});
