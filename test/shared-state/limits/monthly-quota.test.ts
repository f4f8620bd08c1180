import { describe, expect, it } from 'vitest';
import { MonthlyQuota, type Reservation } from '../../../src/shared-state/limits/monthly-quota.ts';

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

async function take(quota: MonthlyQuota, account = 'acc_1'): Promise<Reservation> {
  const verdict = await quota.reserve(account);
  if (!verdict.allowed) throw new Error('denied');
  return verdict.reservation;
}

describe('MonthlyQuota', () => {
  it('never lets what is used and what is under way exceed the limit together', async () => {
    const { quota } = aQuota(3, { 'acc_1 2026-11': 1 });
    await take(quota);
    await take(quota);
    expect((await quota.reserve('acc_1')).allowed).toBe(false);
  });

  it('gives a place back on a refusal and keeps it for a check on record', async () => {
    const { quota } = aQuota(1);
    const refused = await take(quota);
    refused.release();
    const answered = await take(quota);
    answered.settle();
    expect((await quota.reserve('acc_1')).allowed).toBe(false);
  });

  it('counts a reservation once, whatever is called after', async () => {
    const { quota } = aQuota(2);
    const answered = await take(quota);
    answered.settle();
    answered.release();
    answered.settle();
    await take(quota);
    expect((await quota.reserve('acc_1')).allowed).toBe(false);
  });

  it('says how long it is until the next month, over the end of a year too', async () => {
    const { quota, state } = aQuota(0);
    state.now = Date.parse('2026-12-31T23:59:00.000Z');
    expect(await quota.reserve('acc_1')).toEqual({ allowed: false, resetMs: 60_000 });
  });

  it('begins anew with the month, and a check of the old month counts there', async () => {
    const { quota, state } = aQuota(1);
    const old = await take(quota);
    state.now = Date.parse('2026-12-01T00:00:00.000Z');
    const fresh = await take(quota);
    old.settle();
    expect(fresh.at).toBe(state.now);
    fresh.release();
    expect((await quota.reserve('acc_1')).allowed).toBe(true);
  });

  it('keeps accounts apart and reads the store once for each', async () => {
    const { quota, state } = aQuota(1, { 'acc_1 2026-11': 1 });
    expect((await quota.reserve('acc_1')).allowed).toBe(false);
    expect((await quota.reserve('acc_2')).allowed).toBe(true);
    await quota.reserve('acc_1');
    expect(state.reads).toBe(2);
  });

  it('reads the store once for requests that come together, and counts each', async () => {
    const { quota, state } = aQuota(2, { 'acc_1 2026-11': 1 });
    const verdicts = await Promise.all([quota.reserve('acc_1'), quota.reserve('acc_1')]);
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(state.reads).toBe(1);
  });

  it('asks the store again when nobody knows whether a check is on record', async () => {
    const recorded = { 'acc_1 2026-11': 1 };
    const { quota } = aQuota(2, recorded);
    const lost = await take(quota);
    // The writer committed the row and died before it could say so.
    recorded['acc_1 2026-11'] = 2;
    await lost.doubt();
    expect((await quota.reserve('acc_1')).allowed).toBe(false);
  });

  it('counts what it knows of, though the store that is asked again knows less', async () => {
    const { quota } = aQuota(2);
    const answered = await take(quota);
    const lost = await take(quota);
    answered.settle();
    await lost.doubt();
    await take(quota);
    expect((await quota.reserve('acc_1')).allowed).toBe(false);
  });

  it('frees the place of a check that is not on record after all', async () => {
    const { quota } = aQuota(1);
    await (await take(quota)).doubt();
    expect((await quota.reserve('acc_1')).allowed).toBe(true);
  });

  it('finds its reservations again when the clock is set back over the edge of a month', async () => {
    const { quota, state } = aQuota(1);
    await take(quota);
    const november = state.now;
    state.now = Date.parse('2026-12-01T00:00:00.000Z');
    await quota.reserve('acc_1');
    state.now = november;
    expect((await quota.reserve('acc_1')).allowed).toBe(false);
  });
  it('counts for the month that the clock says, also when it is set back into it', async () => {
    const { quota, state } = aQuota(1);
    (await take(quota)).settle();
    const november = state.now;
    state.now = Date.parse('2026-12-01T00:00:00.000Z');
    (await take(quota)).release();
    state.now = november;
    expect((await quota.reserve('acc_1')).allowed).toBe(false);
  });

  it('keeps two months of an account and asks the store for any before', async () => {
    const { quota, state } = aQuota(1);
    const months = ['2026-11', '2026-12', '2027-01'].map((name) => Date.parse(`${name}-20T12:00:00.000Z`));
    for (const at of months) {
      state.now = at;
      (await take(quota)).release();
    }
    expect(state.reads).toBe(3);
    for (const at of months.toReversed()) {
      state.now = at;
      (await take(quota)).release();
    }
    expect(state.reads).toBe(4);
  });
});
