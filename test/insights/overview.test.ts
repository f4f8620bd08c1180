import { expect, it } from 'vitest';
import type { NewCheck } from '../../src/storage/ports.ts';
import { describeRecords } from './records.ts';

const DAY = { since: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' };
/** An hour that has not ended is counted for each question. */
const IN_THE_HOUR = Date.parse('2026-11-20T08:30:00Z');
const AFTERWARDS = Date.parse('2026-11-22T00:00:00Z');
const rule = (id: string, points: number) => ({ kind: 'rule', points, id, group: 'g', saw: {} });

function blocked(id: string, at: string, fields: Partial<NewCheck> = {}) {
  return { id, created_at: at, action: 'BLOCK', risk_score: 80, risk_level: 'high', ...fields };
}

describeRecords('an overview', (someRecords) => {
  it('shows the live checks by hour, level, score, rule, domain and provider', async () => {
    const records = await someRecords();
    await records.add(
      {
        id: 'chk_1',
        created_at: '2026-11-20T10:00:00.000Z',
        ledger: JSON.stringify([
          rule('role', 15),
          { kind: 'stood_aside', points: 0, id: 'catch_all', unknown: ['domain.is_catch_all'] },
        ]),
        unknown: '{"domain.has_mx":"timeout","mx.outcome":"timeout","typo.suggestion":"not_stored"}',
        timings: { mx: 1500, tld: 3 },
        duration_us: 1_000,
      },
      blocked('chk_2', '2026-11-20T10:59:59.999Z', {
        ledger: JSON.stringify([
          rule('disposable', 70),
          rule('role', 15),
          { kind: 'absorbed', points: -15, id: 'role', by: 'disposable' },
        ]),
        unknown: '{}',
        timings: { mx: 2500 },
        duration_us: 3_000,
        domain: 'trash.example',
      }),
      blocked('chk_3', '2026-11-20T12:00:00.000Z', { duration_us: null, domain: null, unknown: '{}' }),
      { id: 'chk_test', created_at: '2026-11-20T10:00:00.000Z', environment: 'test' },
      { id: 'chk_before', created_at: '2026-11-19T23:59:59.999Z' },
      { id: 'chk_after', created_at: DAY.until },
    );
    await records.count();
    const overview = await records.ask('overview', DAY);
    expect(overview).toMatchObject({
      checks: 3,
      blocked: 2,
      decisions: [
        { action: 'ALLOW', level: 'low', checks: 1 },
        { action: 'BLOCK', level: 'high', checks: 2 },
      ],
      latency: { measured: 2, p50_us: 1_000, p95_us: 3_000 },
      bucket: 'hour',
      buckets: [
        {
          begins_at: '2026-11-20T10:00:00.000Z',
          decisions: [
            { action: 'ALLOW', level: 'low', checks: 1 },
            { action: 'BLOCK', level: 'high', checks: 1 },
          ],
          latency: { p99_us: 3_000 },
        },
        {
          begins_at: '2026-11-20T12:00:00.000Z',
          decisions: [{ action: 'BLOCK', level: 'high', checks: 1 }],
          latency: { p99_us: null },
        },
      ],
      domains: [
        { domain: 'example.org', checks: 1, blocked: 0 },
        { domain: 'trash.example', checks: 1, blocked: 1 },
      ],
      different_domains: 2,
      scores: [
        { score: 12, allowed: 1, blocked: 0 },
        { score: 80, allowed: 0, blocked: 2 },
      ],
      test_checks: 1,
    });
    expect(overview.rules).toEqual([
      { id: 'role', fires: 2, blocked: 1, points: 15, stood_aside: 0 },
      { id: 'disposable', fires: 1, blocked: 1, points: 70, stood_aside: 0 },
      { id: 'catch_all', fires: 0, blocked: 0, points: 0, stood_aside: 1 },
    ]);
    // The last of the three has the timings of every record in tests: 300 ms.
    expect(overview.providers).toEqual([
      {
        id: 'mx',
        anew: { measured: 3, p50_us: 2_500, p95_us: 300_000, p99_us: 300_000 },
        timing: { measured: 3, p50_us: 2_500, p95_us: 300_000, p99_us: 300_000 },
        unknown: 1,
        reasons: [{ reason: 'timeout', checks: 1 }],
      },
      {
        id: 'tld',
        anew: expect.objectContaining({ measured: 1 }),
        timing: { measured: 1, p50_us: 3, p95_us: 3, p99_us: 3 },
        unknown: 0,
        reasons: [],
      },
    ]);
  });

  it('is by day for more than three days', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1', created_at: '2026-11-18T23:00:00.000Z' }, { id: 'chk_2' });
    await records.count();
    const range = { since: '2026-11-17T00:00:00.000Z', until: '2026-11-20T00:00:00.001Z' };
    expect(await records.ask('overview', range)).toMatchObject({
      bucket: 'day',
      buckets: [
        { begins_at: '2026-11-18T00:00:00.000Z', decisions: [{ action: 'ALLOW', level: 'low', checks: 1 }] },
      ],
    });
  });

  it('is for one account, or for all', async () => {
    const records = await someRecords();
    await records.add({ id: 'chk_1' }, { id: 'chk_2', account_id: 'acc_2' });
    await records.count();
    const checks = async (accountId?: string) =>
      (await records.ask('overview', { ...DAY, accountId })).checks;
    expect([await checks(), await checks('acc_1'), await checks('acc_3')]).toEqual([2, 1, 0]);
  });

  it('treats names as data, also names of object members', async () => {
    let now = IN_THE_HOUR;
    const records = await someRecords(() => now);
    await records.add({ id: 'chk_1', domain: '__proto__' }, { id: 'chk_2', domain: 'constructor' });
    for (const instant of [IN_THE_HOUR, AFTERWARDS]) {
      now = instant;
      await records.count();
      expect((await records.ask('overview', DAY)).domains).toEqual([
        { domain: '__proto__', checks: 1, blocked: 0 },
        { domain: 'constructor', checks: 1, blocked: 0 },
      ]);
    }
  });
});

describeRecords('usage', (someRecords) => {
  it('is by day and by key, with test keys separately', async () => {
    let now = IN_THE_HOUR;
    const records = await someRecords(() => now);
    await records.add(
      { id: 'chk_1', created_at: '2026-11-20T10:00:00.000Z' },
      { id: 'chk_2', created_at: '2026-11-20T11:00:00.000Z' },
      { id: 'chk_3', created_at: '2026-11-20T09:00:00.000Z', key_id: 'key_test', environment: 'test' },
      { id: 'chk_4', created_at: '2026-11-21T09:00:00.000Z', account_id: 'acc_2', key_id: 'key_2' },
    );
    const range = { since: '2026-11-01T00:00:00.000Z', until: '2026-12-01T00:00:00.000Z' };
    for (const instant of [IN_THE_HOUR, AFTERWARDS]) {
      now = instant;
      await records.count();
      const { days, keys } = await records.ask('usage', range);
      expect(days).toEqual([
        { day: '2026-11-20', account_id: 'acc_1', live: 2, test: 1, keys: { key_1: 2, key_test: 1 } },
        { day: '2026-11-21', account_id: 'acc_2', live: 1, test: 0, keys: { key_2: 1 } },
      ]);
      expect(keys).toEqual([
        { account_id: 'acc_1', key_id: 'key_test', checks: 1, last_used_at: '2026-11-20T09:00:00.000Z' },
        { account_id: 'acc_1', key_id: 'key_1', checks: 2, last_used_at: '2026-11-20T11:00:00.000Z' },
        { account_id: 'acc_2', key_id: 'key_2', checks: 1, last_used_at: '2026-11-21T09:00:00.000Z' },
      ]);
    }
  });
});
