import { describe, expect, it } from 'vitest';
import { isoTime } from '../src/iso-time.ts';

describe('isoTime', () => {
  it('is what Date writes, whatever was asked before', () => {
    for (const ms of [0, 0, 1_763_634_600_123, 1_763_634_600_124, 0, -1]) {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }
  });

  it('throws for no instant, then goes on', () => {
    expect(() => isoTime(Number.NaN)).toThrow(RangeError);
    expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
  });
});
