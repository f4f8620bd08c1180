import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MonthlyQuota } from '../../../src/shared-state/memory/monthly-quota.ts';
import { take } from '../contract.ts';

const NOVEMBER = Date.parse('2026-11-20T12:00:00.000Z');
const clock = { now: () => NOVEMBER };

/** Instances over one store, whose `used` is the number of recorded checks. */
function instancesOver(used: number, limit: number, count: number) {
  const store = { used, reads: 0, isAway: false };
  const usage = {
    async read() {
      store.reads += 1;
      if (store.isAway) throw new Error('away');
      return store.used;
    },
  };
  const quotas = Array.from({ length: count }, () => new MonthlyQuota(usage, clock, limit, true));
  const answer = async (quota: MonthlyQuota) => {
    const place = await take(quota);
    store.used += 1;
    await place.settle();
  };
  return { store, quotas, answer, first: quotas[0] as MonthlyQuota };
}

const leaseOf = (left: number) => Math.max(1, Math.min(100, Math.floor(left / 100)));

describe('a quota over several instances', () => {
  it('is exceeded by at most the leases of the other instances, for any order of requests', async () => {
    const fates = [
      'answered',
      'answered',
      'answered',
      'refused',
      'committed in doubt',
      'lost in doubt',
    ] as const;
    const requests = fc.array(fc.record({ by: fc.nat(4), fate: fc.constantFrom(...fates) }), {
      minLength: 20,
      maxLength: 120,
    });
    const parts = [fc.scheduler(), fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 400 })] as const;
    let exceeded = 0;
    await fc.assert(
      fc.asyncProperty(...parts, fc.nat(60), requests, async (s, count, limit, left, all) => {
        const used = Math.max(0, limit - left);
        const store = { used };
        const later = () => s.schedule(Promise.resolve());
        const usage = {
          async read() {
            await later();
            const found = store.used;
            await later();
            return found;
          },
        };
        const quotas = Array.from({ length: count }, () => new MonthlyQuota(usage, clock, limit, true));
        const request = async ({ by, fate }: (typeof all)[number]) => {
          await later();
          const verdict = await (quotas[by % count] as MonthlyQuota).reserve('acc_1');
          if (!verdict.allowed) return;
          await later();
          const isCommitted = fate === 'answered' || fate === 'committed in doubt';
          if (isCommitted) store.used += 1;
          await later();
          if (fate === 'answered') await verdict.reservation.settle();
          else if (fate === 'refused') await verdict.reservation.release();
          else await verdict.reservation.doubt();
        };
        await s.waitFor(Promise.all(all.map(request)));
        const bound = limit + (count - 1) * leaseOf(limit - used);
        expect(store.used).toBeLessThanOrEqual(bound);
        if (store.used > limit) exceeded += 1;
        // No place is withheld from later requests: remaining places are given to any instance.
        for (const quota of store.used < limit ? quotas : []) {
          const verdict = await s.waitFor(quota.reserve('acc_1'));
          expect(verdict.allowed).toBe(true);
          if (verdict.allowed) await verdict.reservation.release();
        }
      }),
      { numRuns: 300 },
    );
    // Otherwise the limit would be tested without any effect.
    expect(exceeded).toBeGreaterThan(0);
  });

  it('is not exceeded by checks one after the other, on any instance', async () => {
    const { store, quotas, answer } = instancesOver(0, 250, 5);
    let refused = 0;
    for (let n = 0; n < 300; n += 1)
      await answer(quotas[n % 5] as MonthlyQuota).catch(() => {
        refused += 1;
      });
    expect([store.used, refused]).toEqual([250, 50]);
  });

  it.each([
    [100_000, 100],
    [5_000, 50],
    [150, 1],
  ])('of which %i are left asks the store once for %i places', async (left, places) => {
    const { store, first, answer } = instancesOver(1_000_000, 1_000_000 + left, 2);
    for (let n = 0; n < places; n += 1) await answer(first);
    expect(store.reads).toBe(1);
    await answer(first);
    expect(store.reads).toBe(2);
  });

  it('that is used up asks the store no more', async () => {
    const { store, first } = instancesOver(10, 10, 2);
    for (let n = 0; n < 5; n += 1) expect((await first.reserve('acc_1')).allowed).toBe(false);
    expect(store.reads).toBe(1);
  });

  it('uses a place that another instance has not used', async () => {
    const { store, quotas, answer } = instancesOver(0, 2, 2);
    const [one, other] = quotas as [MonthlyQuota, MonthlyQuota];
    await answer(one);
    const place = await take(other);
    await place.release();
    await answer(one);
    expect(store.used).toBe(2);
  });

  it('lets a request wait for a pending place, and continue when that is decided', async () => {
    const { first } = instancesOver(0, 50, 1);
    const place = await take(first);
    let isTaken = false;
    const next = take(first).then((taken) => {
      isTaken = true;
      return taken;
    });
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(isTaken).toBe(false);
    await place.release();
    await next;
    expect(isTaken).toBe(true);
  });

  it('rejects while the recorded number cannot be read, and reads it again afterwards', async () => {
    const { store, first } = instancesOver(0, 50, 2);
    store.isAway = true;
    await expect(first.reserve('acc_1')).rejects.toThrow('away');
    store.isAway = false;
    const lost = await take(first);
    store.isAway = true;
    await expect(lost.doubt()).rejects.toThrow('away');
    store.isAway = false;
    store.used = 50;
    expect((await first.reserve('acc_1')).allowed).toBe(false);
  });

  it('uses the newest answer of the store, in any order of arrival', async () => {
    let used = 8;
    const answers: (() => void)[] = [];
    const read = () => {
      const found = used;
      return new Promise<number>((resolve) => answers.push(() => resolve(found)));
    };
    const turn = () => new Promise(setImmediate);
    const answerLatestFirst = async () => {
      for (await turn(); answers.length > 0; await turn()) answers.pop()?.();
    };
    const quota = new MonthlyQuota({ read }, clock, 10, true);
    const taken = take(quota);
    await answerLatestFirst();
    const place = await taken;
    const next = quota.reserve('acc_1');
    await turn();
    // The place is recorded, although its answer was lost, and another instance has taken the last one.
    used = 10;
    const doubt = place.doubt();
    await answerLatestFirst();
    await doubt;
    expect((await next).allowed).toBe(false);
  });
});
