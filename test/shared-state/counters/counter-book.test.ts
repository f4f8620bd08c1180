import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckCounters, CountedCheck } from '../../../src/shared-state/counters/check-counters.ts';
import { CounterBook } from '../../../src/shared-state/counters/counter-book.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const key = new Int32Array([1, 2, 3, 4]);

function aBook(more: { budgetOctets?: number } = {}) {
  const kept: CountedCheck[] = [];
  const book = new CounterBook({ key, keep: (check) => kept.push(check), ...more });
  let now = NOON;
  const begin = (
    email: string,
    whose: { account?: string; family?: string; environment?: 'live' | 'test' } = {},
  ) => {
    const { account = 'acc_1', family = 'key_1', environment = 'live' } = whose;
    return book.begin({ accountId: account, environment, family }, now).about(email);
  };
  const count = (counters: CheckCounters, text: string) => counters.count('x.seen', text, '24h');
  return {
    book,
    kept,
    begin,
    count,
    wait: (ms: number) => {
      now += ms;
    },
    /** An answered check that counts its own address; returns the count. */
    check(email: string, whose: Parameters<typeof begin>[1] = {}) {
      const counters = begin(email, whose);
      const counted = count(counters, email);
      counters.settle();
      return counted;
    },
  };
}

describe('a check that is counted', () => {
  it('counts itself, and after those before it', () => {
    const { check, wait } = aBook();
    expect(check('jane@example.com')).toBe(1);
    wait(11 * MINUTE_MS);
    expect([check('jane@example.com'), check('john@example.com')]).toEqual([2, 1]);
  });

  it('counts each name for itself, and each window', () => {
    const { begin, wait } = aBook();
    begin('a@x.org').count('x.one', 'same', '24h');
    expect([
      begin('b@x.org').count('x.two', 'same', '24h'),
      begin('c@x.org').count('x.one', 'same', '1h'),
    ]).toEqual([1, 1]);
    wait(2 * HOUR_MS);
    expect([
      begin('d@x.org').count('x.one', 'same', '24h'),
      begin('e@x.org').count('x.one', 'same', '1h'),
    ]).toEqual([2, 1]);
  });

  it('is seen by one that is under way beside it', () => {
    const { begin, count } = aBook();
    const [one, two] = [begin('a@x.org'), begin('b@x.org')];
    expect([count(one, 'x.org'), count(two, 'x.org')]).toEqual([1, 2]);
  });

  it('is not counted when it is refused after all, and neither is it a first try', () => {
    const { begin, count, check, kept } = aBook();
    const refused = begin('jane@x.org');
    expect(count(refused, 'jane@x.org')).toBe(1);
    refused.undo();
    expect(kept).toEqual([]);
    expect(check('jane@x.org')).toBe(1);
    expect(kept).toHaveLength(1);
  });

  it('takes nothing back once it is answered, and counts no more', () => {
    const { begin, count, check, wait } = aBook();
    const answered = begin('jane@x.org');
    count(answered, 'jane@x.org');
    answered.settle();
    answered.undo();
    expect(() => count(answered, 'late')).toThrow('answered already');
    wait(11 * MINUTE_MS);
    expect(check('jane@x.org')).toBe(2);
  });

  it('is kept once, with what it counted, and not at all where nothing was', () => {
    const { begin, count, kept } = aBook();
    const counters = begin('jane@x.org');
    count(counters, 'jane@x.org');
    counters.count('x.other', 'x.org', '1h');
    counters.settle();
    counters.settle();
    begin('john@x.org').settle();
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({
      at: NOON,
      counts: [1, expect.any(Number), expect.any(Number), 0, expect.any(Number), expect.any(Number)],
    });
  });

  it('has 16 counts at most', () => {
    const counters = aBook().begin('jane@x.org');
    for (let n = 0; n < 16; n++) counters.count(`x.n${n}`, 'text', '1h');
    expect(() => counters.count('x.n16', 'text', '1h')).toThrow('16 counts at most');
  });

  it('is refused a window that there is not', () => {
    expect(() =>
      aBook()
        .begin('jane@x.org')
        .count('x.seen', 'text', '7d' as never),
    ).toThrow('no window of 7d');
  });
});

describe('the same address from the same key', () => {
  it('counts once within ten minutes, each time it is tried, and again after', () => {
    const { check, wait, kept } = aBook();
    const counts = [];
    for (let minute = 0; minute <= 21; minute += 3) {
      counts.push(check('jane@x.org'));
      wait(3 * MINUTE_MS);
    }
    // Counted at 0, 12 (the first try after ten minutes), and not before 22.
    expect(counts).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
    expect(kept).toHaveLength(2);
  });

  it('is tried again at 9:59.999, and anew at 10:00.000', () => {
    const { check, wait } = aBook();
    check('jane@x.org');
    wait(10 * MINUTE_MS - 1);
    expect(check('jane@x.org')).toBe(1);
    wait(1);
    expect(check('jane@x.org')).toBe(2);
  });

  it('counts once when it is sent twice at once, whatever becomes of the second', () => {
    const { begin, count, check, wait } = aBook();
    const [one, two] = [begin('jane@x.org'), begin('jane@x.org')];
    expect([count(one, 'jane@x.org'), count(two, 'jane@x.org')]).toEqual([1, 1]);
    one.settle();
    two.undo();
    expect(check('jane@x.org')).toBe(1);
    wait(10 * MINUTE_MS);
    expect(check('jane@x.org')).toBe(2);
  });

  it('is told what others added since', () => {
    const { begin, count, wait } = aBook();
    for (const [email, expected] of [
      ['a@x.org', 1],
      ['b@x.org', 2],
      ['a@x.org', 2],
    ] as const) {
      const counters = begin(email);
      expect(count(counters, 'x.org')).toBe(expected);
      counters.settle();
      wait(MINUTE_MS);
    }
  });

  it('is at least one where it was counted as something else the first time', () => {
    const { begin, count } = aBook();
    count(begin('jane@x.org'), 'one');
    expect(count(begin('jane@x.org'), 'other')).toBe(1);
  });

  it('counts again from another key, not from one that replaced it', () => {
    const { check } = aBook();
    expect([
      check('jane@x.org', { family: 'key_1' }),
      check('jane@x.org', { family: 'key_2' }),
      check('jane@x.org', { family: 'key_1' }),
    ]).toEqual([1, 2, 2]);
  });
});

describe('accounts and environments', () => {
  it('see nothing of each other', () => {
    const { check, wait } = aBook();
    for (let n = 0; n < 5; n++) {
      check('jane@x.org', { account: 'acc_1' });
      wait(10 * MINUTE_MS);
    }
    expect(check('jane@x.org', { account: 'acc_2' })).toBe(1);
    expect(check('jane@x.org', { environment: 'test' })).toBe(1);
  });

  it('take no memory from each other: what one counted stays, however much another sends', () => {
    const { check, wait, book } = aBook({ budgetOctets: 500_000 });
    for (let n = 0; n < 300; n++) check(`user${n}@x.org`, { account: 'acc_1' });
    for (let n = 0; n < 20_000; n++) check(`user${n}@x.org`, { account: 'acc_2' });
    expect(book.stats.forgotten).toBeGreaterThan(0);
    wait(10 * MINUTE_MS);
    for (let n = 0; n < 300; n++) expect(check(`user${n}@x.org`, { account: 'acc_1' })).toBe(2);
  });

  it('stay within the budget together, but for what each begins with', () => {
    const { check, book } = aBook({ budgetOctets: 500_000 });
    for (let n = 0; n < 20_000; n++) check(`user${n}@x.org`, { account: `acc_${n % 30}` });
    expect(book.stats.octets).toBeLessThanOrEqual(500_000 + 30 * 26_000);
  });

  it('give their memory back a day after their last check', () => {
    const { check, book } = aBook({ budgetOctets: 500_000 });
    for (let n = 0; n < 20_000; n++) check(`user${n}@x.org`);
    const { forgotten } = book.stats;
    book.sweep(NOON + 24 * HOUR_MS - 1);
    expect(book.stats.octets).toBeGreaterThan(0);
    book.sweep(NOON + 24 * HOUR_MS);
    expect(book.stats).toEqual({ octets: 0, forgotten });
    for (let n = 0; n < 1_000; n++) check(`user${n}@x.org`, { account: 'acc_2' });
    expect(book.stats.forgotten).toBe(forgotten);
  });
});

describe('restoring', () => {
  it('counts on where the last process ended, retries included', () => {
    const first = aBook();
    for (const email of ['a@x.org', 'b@x.org']) first.check(email);
    const second = aBook();
    for (const check of first.kept) second.book.restore(check, NOON);
    expect([second.check('a@x.org'), second.check('c@x.org')]).toEqual([1, 1]);
    second.wait(10 * MINUTE_MS);
    expect(second.check('b@x.org')).toBe(2);
  });

  it('makes no difference to any count, whenever the process ended', () => {
    const step = fc.record({
      who: fc.integer({ min: 0, max: 3 }),
      key: fc.integer({ min: 0, max: 1 }),
      after: fc.oneof(fc.constant(0), fc.nat(20 * MINUTE_MS), fc.nat(30 * HOUR_MS)),
      fate: fc.constantFrom('settle' as const, 'settle' as const, 'undo' as const, 'restart' as const),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const kept: CountedCheck[] = [];
        const lasting = new CounterBook({ key, keep: () => undefined });
        const open = () => new CounterBook({ key, keep: (check) => kept.push(check) });
        let restarted = open();
        let at = NOON;
        for (const { who, key: family, after, fate } of steps) {
          at += after;
          if (fate === 'restart') {
            restarted = open();
            for (const check of kept.slice()) restarted.restore(check, at);
          }
          const counts = [lasting, restarted].map((book) => {
            const whose = { accountId: 'acc_1', environment: 'live' as const, family: `key_${family}` };
            const check = book.begin(whose, at).about(`user${who}@x.org`);
            const counted = [check.count('x.one', `user${who}`, '24h'), check.count('x.two', 'x.org', '1h')];
            if (fate === 'undo') check.undo();
            else check.settle();
            return counted;
          });
          expect(counts[1]).toEqual(counts[0]);
        }
      }),
    );
  });

  it('leaves out what is a day old, or from ahead of the clock', () => {
    const first = aBook();
    first.check('a@x.org');
    for (const now of [NOON + 24 * HOUR_MS, NOON - 2 * MINUTE_MS]) {
      const second = aBook();
      for (const check of first.kept) second.book.restore(check, now);
      expect(second.book.stats.octets).toBe(0);
    }
  });
});

it('keeps hashes that are neither those of the records nor the same under another key', () => {
  const first = aBook();
  first.check('jane@example.com');
  const other: CountedCheck[] = [];
  const book = new CounterBook({ key: new Int32Array([4, 3, 2, 1]), keep: (check) => other.push(check) });
  const counters = book
    .begin({ accountId: 'acc_1', environment: 'live', family: 'key_1' }, NOON)
    .about('jane@example.com');
  counters.count('x.seen', 'jane@example.com', '24h');
  counters.settle();
  const words = (check: CountedCheck | undefined) => [
    check?.account,
    check?.retryLow,
    check?.retryHigh,
    ...(check?.counts ?? []),
  ];
  const [ours, theirs] = [words(first.kept[0]), words(other[0])];
  expect(ours.filter((word, i) => i !== 3 && theirs.includes(word))).toEqual([]);
  const recorded = createHmac('sha256', Buffer.from(key.buffer)).update('jane@example.com').digest('hex');
  const hex = ours.map((word) => Number(word).toString(16).padStart(8, '0'));
  expect(hex.filter((word) => word !== '00000001' && recorded.includes(word))).toEqual([]);
});
