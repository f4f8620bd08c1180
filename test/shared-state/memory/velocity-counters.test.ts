import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ENTRY_OCTETS,
  InMemoryVelocityCounters,
  PAIR_OCTETS,
} from '../../../src/shared-state/memory/velocity-counters.ts';
import { aWorldOfChecks, seen } from '../contract.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const KEY = createSecretKey(Buffer.alloc(32, 7));
/** An entry for one pair. */
const OCTETS = ENTRY_OCTETS + PAIR_OCTETS;

function aWorld(more: { mostEntries?: number; counters?: InMemoryVelocityCounters } = {}) {
  const counters =
    more.counters ?? new InMemoryVelocityCounters(KEY, more.mostEntries && more.mostEntries * OCTETS);
  return { counters, ...aWorldOfChecks(counters) };
}

async function textOf(counters: InMemoryVelocityCounters, now: number): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of counters.dump(now)) chunks.push(chunk);
  return chunks.join('');
}

/** As after a restart at `now`. */
async function restarted(counters: InMemoryVelocityCounters, now: number): Promise<InMemoryVelocityCounters> {
  const next = new InMemoryVelocityCounters(KEY);
  next.restore(await textOf(counters, now), now);
  return next;
}

describe('the memory of the counters', () => {
  it('is bounded: the entries that an account used least recently are dropped first, and no count is too high', async () => {
    const { check, wait, counters } = aWorld({ mostEntries: 2_000 });
    for (let n = 0; n < 3_000; n++) {
      expect(await check(`user${n}@x.org`)).toBe(1);
      wait(HOUR_MS / 3_600);
    }
    expect(counters.stats).toEqual({ octets: 2_000 * OCTETS, forgotten: 4_000 });
    wait(10 * MINUTE_MS);
    expect([await check('user2999@x.org'), await check('user0@x.org')]).toEqual([2, 1]);
  });

  it('is not taken by another account: the counts of one stay, however much another sends', async () => {
    const { check, wait, counters } = aWorld({ mostEntries: 5_000 });
    for (let n = 0; n < 300; n++) await check(`user${n}@x.org`, { account: 'acc_1' });
    for (let n = 0; n < 20_000; n++) await check(`user${n}@x.org`, { account: 'acc_2' });
    expect(counters.stats.forgotten).toBeGreaterThan(0);
    wait(10 * MINUTE_MS);
    for (let n = 0; n < 300; n++) expect(await check(`user${n}@x.org`, { account: 'acc_1' })).toBe(2);
  });

  it('stays within the total limit, except for a thousand entries that each account may have', async () => {
    const { check, counters } = aWorld({ mostEntries: 5_000 });
    for (let n = 0; n < 40_000; n++) await check(`user${n}@x.org`, { account: `acc_${n % 10}` });
    expect(counters.stats.octets).toBeLessThanOrEqual((5_000 + 10 * 1_000) * OCTETS);
  });

  it('is released when every window has passed', async () => {
    const { check, counters, now, wait } = aWorld();
    for (let n = 0; n < 5_000; n++) await check(`user${n}@x.org`);
    wait(24 * HOUR_MS);
    await textOf(counters, now());
    expect(counters.stats.octets).toBe(0);
  });
});

describe('a snapshot', () => {
  it('restores every count, whenever the process ended', async () => {
    const step = fc.record({
      who: fc.integer({ min: 0, max: 3 }),
      key: fc.integer({ min: 0, max: 1 }),
      after: fc.oneof(fc.constant(0), fc.nat(20 * MINUTE_MS), fc.nat(30 * HOUR_MS)),
      fate: fc.constantFrom('settle' as const, 'settle' as const, 'undo' as const, 'restart' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const lasting = new InMemoryVelocityCounters(KEY);
        let other = new InMemoryVelocityCounters(KEY);
        let at = Date.parse('2026-11-20T12:00:00Z');
        for (const { who, key, after, fate } of steps) {
          at += after;
          if (fate === 'restart') other = await restarted(other, at);
          const told = [];
          for (const counters of [lasting, other]) {
            const check = {
              accountId: 'acc_1',
              environment: 'live',
              keyFamily: `key_${key}`,
              spelling: `user${who}@x.org`,
              at,
            } as const;
            const receipt = await counters.count(check, [
              seen(`user${who}`),
              seen('x.org', { 'x.two': '1h' }),
              seen('x.org', { 'x.three': '24h', 'x.four': '7d', 'x.five': '30d' }),
              { ...seen('x.org', { 'x.six': '24h' }), distinct: `user${who}` },
            ]);
            await (fate === 'undo' ? receipt.undo() : receipt.settle());
            told.push(receipt.numbers);
          }
          expect(told[1]).toEqual(told[0]);
        }
      }),
    );
  });

  it('never contains a check that is not recorded: counts are too low after a crash, never too high', async () => {
    const { begin, check, counters, now } = aWorld();
    await check('jane@x.org');
    const underWay = await begin('john@x.org', [seen('jane@x.org')]);
    expect(underWay.numbers).toEqual({ 'x.seen': 2 });
    const next = aWorld({ counters: await restarted(counters, now()) });
    next.wait(10 * MINUTE_MS);
    expect(await next.check('jane@x.org')).toBe(2);
  });

  it('lets the event loop run between slices, also where no entry of them is written', async () => {
    const { check, counters, now } = aWorld();
    for (let n = 0; n < 900; n++) await check(`user${n}@x.org`, { account: `acc_${n % 300}` });
    for (let n = 0; n < 2_000; n++) await check(`user${n}@x.org`);
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    // All of these entries have expired by then.
    await textOf(counters, now() + 90 * 24 * HOUR_MS);
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(counters.stats.octets).toBe(0);
  });

  it('contains each concurrent check at most once, and the next snapshot contains it at the latest', async () => {
    const { check, counters, now, wait } = aWorld();
    for (let n = 0; n < 5_000; n++) await check(`user${n}@x.org`);
    wait(10 * MINUTE_MS);
    const chunks: string[] = [];
    for await (const chunk of counters.dump(now())) {
      // The first is in what was written, the last is not.
      if (chunks.length === 0) for (const n of [0, 4_999]) await check(`user${n}@x.org`);
      chunks.push(chunk);
    }
    const restoredFrom = async (text: string) => {
      const restored = new InMemoryVelocityCounters(KEY);
      restored.restore(text, now());
      const next = aWorld({ counters: restored });
      next.wait(20 * MINUTE_MS);
      const told = [];
      for (const n of [0, 4_999, 1]) told.push(await next.check(`user${n}@x.org`));
      return told;
    };
    expect(await restoredFrom(chunks.join(''))).toEqual([2, 3, 2]);
    expect(await restoredFrom(await textOf(counters, now()))).toEqual([3, 3, 2]);
  });

  it('omits entries outside of every window, and entries with a time in the future', async () => {
    const { check, counters, now } = aWorld();
    await check('a@x.org');
    const text = await textOf(counters, now());
    for (const later of [24 * HOUR_MS, -3 * HOUR_MS]) {
      const next = new InMemoryVelocityCounters(KEY);
      next.restore(text, now() + later);
      expect(next.stats.octets).toBe(0);
    }
  });

  it.each([
    'ddAAAAAAAAAA 1 2',
    '@scope\nxdAAAAAAAAAA 1 2',
    '@scope\ndyAAAAAAAAAA 1 2',
    '@scope\nddAAAAAAAAAA 1 two',
    '@scope\nddAAAAAAAAAA 1',
    '@scope\nddAAAAAAAAAA 123456 1\nrubbish',
  ])('with %j is refused completely', (text) => {
    const counters = new InMemoryVelocityCounters(KEY);
    expect(() => counters.restore(text, 0)).toThrow('no count');
    expect(counters.stats.octets).toBe(0);
  });

  it('contains hashes that differ from those of the records and from those under another key', async () => {
    const texts = [];
    for (const key of [KEY, createSecretKey(Buffer.alloc(32, 8))]) {
      const { check, counters, now } = aWorld({ counters: new InMemoryVelocityCounters(key) });
      await check('jane@example.com');
      texts.push(await textOf(counters, now()));
    }
    const hashes = texts.map((text) => [...text.matchAll(/^(?:@|dd|r)[\w-]{10}/gm)].map(([each]) => each));
    expect(hashes[0]).toHaveLength(3);
    expect(hashes[0]?.filter((each) => hashes[1]?.includes(each))).toEqual([]);
    const recorded = createHmac('sha256', KEY).update('jane@example.com').digest('base64url');
    for (const each of hashes[0] ?? []) expect(recorded).not.toContain(each.slice(-10));
  });
});
