import { describe, expect, it } from 'vitest';
import { MonthlyQuota, type Reservation } from '../../../src/shared-state/limits/monthly-quota.ts';

function aQuota(limit: number, recorded: Record<string, number> = {}) {
  const state = { now: Date.parse('2026-11-20T12:00:00.000Z'), reads: 0 };
  const usage = {
    read: (account: string, month: string) => {
      state.reads++;
      return recorded[`${account} ${month}`] ?? 0;
    },
  };
  return { state, quota: new MonthlyQuota(usage, { now: () => state.now }, limit) };
}

function take(quota: MonthlyQuota, account = 'acc_1'): Reservation {
  const verdict = quota.reserve(account);
  if (!verdict.allowed) throw new Error('denied');
  return verdict.reservation;
}

describe('MonthlyQuota', () => {
  it('never lets what is used and what is under way exceed the limit together', () => {
    const { quota } = aQuota(3, { 'acc_1 2026-11': 1 });
    take(quota);
    take(quota);
    expect(quota.reserve('acc_1').allowed).toBe(false);
  });

  it('gives a place back on a refusal and keeps it for a check on record', () => {
    const { quota } = aQuota(1);
    const refused = take(quota);
    refused.release();
    const answered = take(quota);
    answered.settle();
    expect(quota.reserve('acc_1').allowed).toBe(false);
  });

  it('counts a reservation once, whatever is called after', () => {
    const { quota } = aQuota(2);
    const answered = take(quota);
    answered.settle();
    answered.release();
    answered.settle();
    take(quota);
    expect(quota.reserve('acc_1').allowed).toBe(false);
  });

  it('says how long it is until the next month, over the end of a year too', () => {
    const { quota, state } = aQuota(0);
    state.now = Date.parse('2026-12-31T23:59:00.000Z');
    expect(quota.reserve('acc_1')).toEqual({ allowed: false, resetMs: 60_000 });
  });

  it('begins anew with the month, and a check of the old month counts there', () => {
    const { quota, state } = aQuota(1);
    const old = take(quota);
    state.now = Date.parse('2026-12-01T00:00:00.000Z');
    const fresh = take(quota);
    old.settle();
    expect(fresh.at).toBe(state.now);
    fresh.release();
    expect(quota.reserve('acc_1').allowed).toBe(true);
  });

  it('keeps accounts apart and reads the store once for each', () => {
    const { quota, state } = aQuota(1, { 'acc_1 2026-11': 1 });
    expect(quota.reserve('acc_1').allowed).toBe(false);
    expect(quota.reserve('acc_2').allowed).toBe(true);
    quota.reserve('acc_1');
    expect(state.reads).toBe(2);
  });

  it('asks the store again when nobody knows whether a check is on record', () => {
    const recorded = { 'acc_1 2026-11': 1 };
    const { quota } = aQuota(2, recorded);
    const lost = take(quota);
    // The writer committed the row and died before it could say so.
    recorded['acc_1 2026-11'] = 2;
    lost.doubt();
    expect(quota.reserve('acc_1').allowed).toBe(false);
  });

  it('counts what it knows of, though the store that is asked again knows less', () => {
    const { quota } = aQuota(2);
    const answered = take(quota);
    const lost = take(quota);
    answered.settle();
    lost.doubt();
    take(quota);
    expect(quota.reserve('acc_1').allowed).toBe(false);
  });

  it('frees the place of a check that is not on record after all', () => {
    const { quota } = aQuota(1);
    take(quota).doubt();
    expect(quota.reserve('acc_1').allowed).toBe(true);
  });

  it('finds its reservations again when the clock is set back over the edge of a month', () => {
    const { quota, state } = aQuota(1);
    take(quota);
    const november = state.now;
    state.now = Date.parse('2026-12-01T00:00:00.000Z');
    quota.reserve('acc_1');
    state.now = november;
    expect(quota.reserve('acc_1').allowed).toBe(false);
  });
  it('counts for the month that the clock says, also when it is set back into it', () => {
    const { quota, state } = aQuota(1);
    take(quota).settle();
    const november = state.now;
    state.now = Date.parse('2026-12-01T00:00:00.000Z');
    take(quota).release();
    state.now = november;
    expect(quota.reserve('acc_1').allowed).toBe(false);
  });

  it('keeps two months of an account and asks the store for any before', () => {
    const { quota, state } = aQuota(1);
    const months = ['2026-11', '2026-12', '2027-01'].map((name) => Date.parse(`${name}-20T12:00:00.000Z`));
    for (const at of months) {
      state.now = at;
      take(quota).release();
    }
    expect(state.reads).toBe(3);
    for (const at of months.toReversed()) {
      state.now = at;
      take(quota).release();
    }
    expect(state.reads).toBe(4);
  });
});
