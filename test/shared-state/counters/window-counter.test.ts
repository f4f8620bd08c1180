import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CountWindow } from '../../../src/provider-kit/index.ts';
import { PARTS, WINDOWS, WindowCounter } from '../../../src/shared-state/counters/window-counter.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const ample = () => ({ left: 2 ** 30 });

describe.each(['1h', '24h'] as const)('a window of %s', (window: CountWindow) => {
  const { partMs } = WINDOWS[window];
  const windowMs = PARTS * partMs;

  it('counts no less than its last eleven twelfths hold, and no more than it holds', () => {
    const events = fc.array(
      fc.record({
        who: fc.integer({ min: 1, max: 5 }),
        // Many at once, some after a while, some after all is over.
        after: fc.oneof(fc.constant(0), fc.nat(partMs), fc.nat(3 * windowMs)),
        undone: fc.boolean(),
      }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(events, (all) => {
        const counter = new WindowCounter(window, ample());
        const counted: { who: number; at: number }[] = [];
        let at = NOON;
        for (const { who, after, undone } of all) {
          at += after;
          const got = counter.add(who, 7 * who, at);
          counted.push({ who, at });
          const within = (ms: number) =>
            counted.filter((event) => event.who === who && event.at > at - ms).length;
          expect(got).toBeGreaterThanOrEqual(within(windowMs - partMs));
          expect(got).toBeLessThanOrEqual(within(windowMs));
          expect(counter.read(who, 7 * who, at)).toBe(got);
          if (!undone) continue;
          counter.undo(who, 7 * who, at);
          counted.pop();
          expect(counter.read(who, 7 * who, at)).toBe(got - 1);
        }
      }),
    );
  });
});

describe('a window counter', () => {
  it('tells hashes apart that differ in one word alone', () => {
    const counter = new WindowCounter('1h', ample());
    counter.add(1, 1, NOON);
    expect([counter.add(1, 2, NOON), counter.add(2, 1, NOON), counter.read(1, 1, NOON)]).toEqual([1, 1, 1]);
  });

  it('counts in the newest part while the clock is set back, and undoes that too', () => {
    const counter = new WindowCounter('1h', ample());
    const { partMs } = WINDOWS['1h'];
    counter.add(1, 1, NOON);
    expect(counter.add(1, 1, NOON - 2 * partMs)).toBe(2);
    expect(counter.read(1, 1, NOON + 11 * partMs)).toBe(2);
    const other = new WindowCounter('1h', ample());
    other.add(1, 1, NOON);
    other.add(1, 1, NOON - partMs);
    other.undo(1, 1, NOON - partMs);
    expect(other.read(1, 1, NOON)).toBe(1);
  });

  it('begins anew where the clock was a window and more ahead', () => {
    const counter = new WindowCounter('1h', ample());
    counter.add(1, 1, NOON + 48 * 3_600_000);
    expect(counter.add(1, 1, NOON)).toBe(1);
  });

  it('stops at 65,535 in a part, and goes on in the next', () => {
    const counter = new WindowCounter('1h', ample());
    for (let n = 0; n < 65_540; n++) counter.add(1, 1, NOON);
    expect(counter.read(1, 1, NOON)).toBe(65_535);
    expect(counter.add(1, 1, NOON + WINDOWS['1h'].partMs)).toBe(65_536);
  });

  it('undoes nothing that it does not know', () => {
    const counter = new WindowCounter('1h', ample());
    counter.undo(1, 1, NOON);
    expect(counter.read(1, 1, NOON)).toBe(0);
  });
});

describe('the memory of a window counter', () => {
  /** Two words that are as good as a hash, from a counter. */
  const scramble = (n: number): [number, number] => [
    Math.imul(n, 0x9e3779b1) >>> 0,
    Math.imul(n ^ 0x5bd1e995, 0x85ebca6b) >>> 0,
  ];

  it('stays within its slots and the budget, however many come', () => {
    const budget = { left: 2 ** 30 };
    const counter = new WindowCounter('1h', budget);
    for (let n = 1; n <= 200_000; n++) counter.add(...scramble(n), NOON);
    // 40 octets a slot.
    expect(counter.octets).toBe(WINDOWS['1h'].mostSlots * 40);
    expect(2 ** 30 - budget.left).toBe(counter.octets);
    const poor = new WindowCounter('24h', { left: 100_000 });
    for (let n = 1; n <= 50_000; n++) poor.add(...scramble(n), NOON);
    expect(poor.octets).toBeLessThanOrEqual(100_000);
    expect(poor.forgotten).toBeGreaterThan(45_000);
  });

  it('keeps every count exact to more than half of its slots', () => {
    const counter = new WindowCounter('1h', ample());
    const most = WINDOWS['1h'].mostSlots / 2;
    for (let n = 1; n <= most; n++) counter.add(...scramble(n), NOON);
    expect(counter.forgotten).toBe(0);
    let found = 0;
    for (let n = 1; n <= most; n++) found += counter.read(...scramble(n), NOON);
    expect(found).toBe(most);
  });

  it('gives up who was counted least, and of those who was longest ago; it never counts too much', () => {
    const counter = new WindowCounter('1h', { left: 20_000 });
    const { partMs } = WINDOWS['1h'];
    const often = Array.from({ length: 50 }, (_, n) => n + 1);
    for (const n of often) for (let time = 0; time < 5; time++) counter.add(...scramble(n), NOON);
    for (let n = 1_000; n < 10_000; n++) expect(counter.add(...scramble(n), NOON + partMs)).toBe(1);
    expect(often.map((n) => counter.read(...scramble(n), NOON + partMs))).toEqual(often.map(() => 5));
    const isKept = (n: number) => counter.read(...scramble(n), NOON + partMs) === 1;
    expect(Array.from({ length: 20 }, (_, n) => 9_999 - n).filter(isKept).length).toBeGreaterThan(15);
  });

  it('takes the room of what has left the window before it grows', () => {
    const counter = new WindowCounter('1h', ample());
    const { octets } = counter;
    for (let n = 1; n <= 20_000; n++) counter.add(...scramble(n), NOON + n * WINDOWS['1h'].partMs);
    expect([counter.octets, counter.forgotten]).toEqual([octets, 0]);
  });
});
