import { describe, expect, it } from 'vitest';
import { busy } from '../../../src/jobs/job-queue.ts';
import { aRecordsApi } from './records-api.ts';

describe('an overview', () => {
  it('covers the last day, of one account for its members, and of all for operators', async () => {
    const api = await aRecordsApi();
    await api.add(
      { id: 'chk_1', action: 'BLOCK', risk_level: 'high', risk_score: 80, duration_us: 1_234 },
      { id: 'chk_2', account_id: 'acc_2', created_at: '2026-11-20T11:59:59.000Z' },
      { id: 'chk_old', created_at: '2026-11-19T11:59:59.000Z' },
    );
    const mine = await api.ask('/accounts/acc_1/overview');
    expect(mine.json).toEqual({
      since: '2026-11-19T12:00:00.000Z',
      until: '2026-11-20T12:01:00.000Z',
      counted_share: 1,
      checks: 1,
      blocked: 1,
      test_checks: 0,
      decisions: [{ action: 'BLOCK', level: 'high', checks: 1 }],
      latency: { measured: 1, p50_us: 1_200, p95_us: 1_200, p99_us: 1_200 },
      bucket: 'hour',
      buckets: [
        {
          begins_at: '2026-11-20T10:00:00.000Z',
          decisions: [{ action: 'BLOCK', level: 'high', checks: 1 }],
          latency: { measured: 1, p50_us: 1_200, p95_us: 1_200, p99_us: 1_200 },
        },
      ],
      providers: [
        {
          id: 'mx',
          timing: { measured: 1, p50_us: 300_000, p95_us: 300_000, p99_us: 300_000 },
          anew: { measured: 1, p50_us: 300_000, p95_us: 300_000, p99_us: 300_000 },
          unknown: 1,
          reasons: [{ reason: 'timeout', checks: 1 }],
        },
      ],
      rules: [],
      domains: [{ domain: 'example.org', checks: 1, blocked: 1 }],
      different_domains: 1,
      scores: [{ score: 80, allowed: 0, blocked: 1 }],
    });
    const all = await api.ask('/overview', { as: 'analyst' });
    expect([all.json.checks, all.json.blocked]).toEqual([2, 1]);
  });

  it('covers the time that is asked for, and describes a fault in it', async () => {
    const api = await aRecordsApi();
    await api.add({ id: 'chk_1' });
    const of = async (query: string) => (await api.ask(`/accounts/acc_1/overview?${query}`)).json;
    expect((await of('since=2026-11-20&until=2026-11-21')).checks).toBe(1);
    expect((await of('since=2026-10-01&until=2026-11-20')).bucket).toBe('day');
    expect((await of('since=yesterday')).error.details).toEqual([
      { path: 'query/since', message: 'is no day and no time with its offset from UTC' },
    ]);
    expect((await of('since=2026-11-20&until=2026-11-20')).error.details[0].message).toBe(
      'must be before until',
    );
    expect((await of('since=2020-01-01')).error.code).toBe('invalid_request');
    expect((await of('sinse=2020-01-01')).error.details[0].path).toBe('query/sinse');
  });

  it.each([
    ['/accounts/acc_1/overview', 'stranger', 404],
    ['/accounts/acc_1/usage', 'stranger', 404],
    ['/accounts/acc_1/checks', 'stranger', 404],
    ['/accounts/acc_1/checks.csv', 'stranger', 404],
    ['/accounts/acc_1/checks/chk_1', 'stranger', 404],
    ['/accounts/acc_1/checks/chk_1/explanation', 'stranger', 404],
    ['/accounts/acc_2/checks/chk_1', 'stranger', 404],
    ['/overview', 'viewer', 403],
    ['/usage', 'viewer', 403],
    ['/checks', 'developer', 403],
    ['/checks.csv', 'developer', 403],
    ['/checks/chk_1', 'developer', 403],
    ['/overview', 'anonymous', 401],
  ])('is limited to the accounts of a person: %s as a %s is %d', async (path, as, status) => {
    const api = await aRecordsApi();
    await api.add({ id: 'chk_1' });
    expect((await api.ask(path, { as })).status).toBe(status);
  });

  it('is refused with Retry-After when too many ask at once, reading takes too long or its process ended', async () => {
    const refusal = busy('32 wait.');
    const api = await aRecordsApi({ ask: () => Promise.reject(refusal), close: async () => undefined });
    const answer = await api.ask('/overview', { as: 'analyst' });
    expect([answer.status, answer.json.error.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'busy',
      '2',
    ]);
    expect(answer.json.error.details).toEqual([{ message: '32 wait.' }]);
    // Expected under load: the log has the line of its request, and no other.
    expect(api.logged()).toEqual([]);
  });

  it('counts towards the limit of the person who asks', async () => {
    const askers: (string | undefined)[] = [];
    const api = await aRecordsApi({
      ask: (_kind, _question, { asker } = {}) => {
        askers.push(asker);
        return Promise.reject(busy('enough'));
      },
      close: async () => undefined,
    });
    for (const path of ['overview', 'usage', 'checks', 'checks.csv', 'checks/chk_1']) {
      await api.ask(`/accounts/acc_1/${path}`, { as: 'viewer' });
      await api.ask(`/${path}`, { as: 'analyst' });
    }
    await api.ask('/accounts/acc_1/checks/chk_1/explanation', { as: 'developer' });
    expect(askers).toEqual([...Array(5).fill(['viewer', 'analyst']).flat(), 'developer']);
  });

  it('is cancelled when the client disconnects', async () => {
    const { promise: given, resolve } = Promise.withResolvers<AbortSignal>();
    const api = await aRecordsApi({
      ask: (_kind, _question, { signal } = {}) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          if (signal) resolve(signal);
        }),
      close: async () => undefined,
    });
    const leaving = new AbortController();
    const asked = api.ask('/overview', { as: 'analyst', signal: leaving.signal });
    const signal = await given;
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => signal.aborted).toBe(true);
  });
});

describe('usage', () => {
  it('is grouped by day and by key', async () => {
    const api = await aRecordsApi();
    await api.add(
      { id: 'chk_1' },
      { id: 'chk_2', account_id: 'acc_2', key_id: 'key_2', environment: 'test' },
    );
    expect((await api.ask('/accounts/acc_1/usage?since=2026-11-01')).json).toEqual({
      since: '2026-11-01T00:00:00.000Z',
      until: '2026-11-20T12:01:00.000Z',
      counted_share: 1,
      days: [{ day: '2026-11-20', account_id: 'acc_1', live: 1, test: 0, keys: { key_1: 1 } }],
      keys: [{ account_id: 'acc_1', key_id: 'key_1', checks: 1, last_used_at: '2026-11-20T10:00:00.000Z' }],
    });
    expect((await api.ask('/usage', { as: 'analyst' })).json.keys).toHaveLength(2);
  });
});
