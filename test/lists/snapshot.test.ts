import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayOf,
  dayText,
  mergeSnapshot,
  readSnapshot,
  type Snapshot,
  writeSnapshot,
} from '../../src/lists/snapshot.ts';

const merge = (previous: Snapshot, domains: readonly string[], today: number, confirmed = today - 1) =>
  mergeSnapshot(previous, new Set(domains), { today, confirmed });

describe('the history of a list', () => {
  it('starts with the first download', () => {
    const { snapshot, ...counts } = merge(new Map(), ['a.org', 'b.org'], 100);
    expect([...snapshot]).toEqual([
      ['a.org', { firstSeen: 100, lastSeen: null }],
      ['b.org', { firstSeen: 100, lastSeen: null }],
    ]);
    expect(counts).toEqual({ listed: 2, gone: 0, added: 2, removed: 0 });
  });

  it('keeps removed entries, with the last day on which the list contained them', () => {
    const first = merge(new Map(), ['a.org', 'b.org'], 100);
    const second = merge(first.snapshot, ['b.org', 'c.org'], 110, 107);
    expect(Object.fromEntries(second.snapshot)).toEqual({
      'a.org': { firstSeen: 100, lastSeen: 107 },
      'b.org': { firstSeen: 100, lastSeen: null },
      'c.org': { firstSeen: 110, lastSeen: null },
    });
    expect(second).toMatchObject({ listed: 2, gone: 1, added: 1, removed: 1 });
  });

  it('does not move the last day of entries that were removed earlier', () => {
    const gone = new Map([['a.org', { firstSeen: 90, lastSeen: 95 }]]);
    const { snapshot, removed } = merge(gone, ['b.org'], 110);
    expect(snapshot.get('a.org')).toEqual({ firstSeen: 90, lastSeen: 95 });
    expect(removed).toBe(0);
  });

  it('keeps the first day of entries that return', () => {
    const gone = new Map([['a.org', { firstSeen: 90, lastSeen: 95 }]]);
    const { snapshot, gone: left, added } = merge(gone, ['a.org'], 110);
    expect(snapshot.get('a.org')).toEqual({ firstSeen: 90, lastSeen: null });
    expect({ left, added }).toEqual({ left: 0, added: 1 });
  });

  it('drops entries that were last seen more than a year ago', () => {
    const gone = new Map([
      ['year.org', { firstSeen: 1, lastSeen: 100 }],
      ['older.org', { firstSeen: 1, lastSeen: 99 }],
    ]);
    const { snapshot } = merge(gone, ['b.org'], 465);
    expect([...snapshot.keys()]).toEqual(['year.org', 'b.org']);
  });
});

it('a snapshot is the same after it was written and read', () => {
  const record = fc.record({ firstSeen: fc.nat(30_000), lastSeen: fc.option(fc.nat(30_000)) });
  const domain = fc.stringMatching(/^[a-z]{1,5}\.[a-z]{2,3}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(domain, record)), (entries) => {
      const snapshot = new Map(entries);
      expect(readSnapshot(writeSnapshot(snapshot))).toEqual(snapshot);
    }),
  );
});

it('days are UTC days', () => {
  expect(dayText(dayOf(Date.parse('2026-11-21T23:59:59.999Z')))).toBe('2026-11-21');
  expect(dayText(dayOf(Date.parse('2026-11-22T00:00:00Z')))).toBe('2026-11-22');
});
