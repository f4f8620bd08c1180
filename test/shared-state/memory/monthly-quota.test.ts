import { describe, expect, it } from 'vitest';
import { MonthlyQuota } from '../../../src/shared-state/memory/monthly-quota.ts';
import { take } from '../contract.ts';

function aQuota(limit: number, recorded: Record<string, number> = {}) {
  const state = { now: Date.parse('2026-11-20T12:00:00.000Z'), reads: 0 };
  const usage = {
    read: async (account: string, month: string) => {
      state.reads++;
      return recorded[`${account} ${month}`] ?? 0;
    },
  };
  return { state, quota: new MonthlyQuota(usage, { now: () => state.now }, limit) };
}

describe('MonthlyQuota', () => {
  it('counts accounts separately and reads the store once for each', async () => {
    const { quota, state } = aQuota(1, { 'acc_1 2026-11': 1 });
    expect((await quota.reserve('acc_1')).allowed).toBe(false);
    expect((await quota.reserve('acc_2')).allowed).toBe(true);
    await quota.reserve('acc_1');
    expect(state.reads).toBe(2);
  });

  it('reads the store once for concurrent requests, and counts each', async () => {
    const { quota, state } = aQuota(2, { 'acc_1 2026-11': 1 });
    const verdicts = await Promise.all([quota.reserve('acc_1'), quota.reserve('acc_1')]);
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(state.reads).toBe(1);
  });

  it('lets no request wait for another, however few places are left', async () => {
    const { quota } = aQuota(50);
    const places = await Promise.all(Array.from({ length: 50 }, () => take(quota)));
    expect(places).toHaveLength(50);
    expect((await quota.reserve('acc_1')).allowed).toBe(false);
  });

  it('keeps two months of an account and reads the store for any earlier month', async () => {
    const { quota, state } = aQuota(1);
    const months = ['2026-11', '2026-12', '2027-01'].map((name) => Date.parse(`${name}-20T12:00:00.000Z`));
    for (const at of months) {
      state.now = at;
      await (await take(quota)).release();
    }
    expect(state.reads).toBe(3);
    for (const at of months.toReversed()) {
      state.now = at;
      await (await take(quota)).release();
    }
    expect(state.reads).toBe(4);
  });
});
