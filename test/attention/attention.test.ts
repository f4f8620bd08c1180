import { describe, expect, it } from 'vitest';
import { Attention, type AttentionParts } from '../../src/attention/attention.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { noMetrics } from '../../src/observability/metrics.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const key = { id: 'key_1', accountId: 'acc_1', name: 'shop', prefix: 'pst_live_a' };
const inClear = { ...key, seenInClearAt: '2026-11-26T11:00:00.000Z', revokedAt: null, expiresAt: null };

function attentionOf(parts: { [Part in keyof AttentionParts]?: unknown } = {}): Attention {
  return new Attention({
    clock: { now: () => NOW },
    log: createLogger('silent'),
    metrics: noMetrics,
    keys: { list: async () => [] },
    insights: { ask: async () => ({ providers: [] }) },
    storage: { ping: async () => undefined },
    read: () => ({
      ...{ rules: undefined, retention: undefined, downloads: [], builtInListDays: null, dnsServers: [] },
      ...{ quota: Number.POSITIVE_INFINITY, certificate: { endMs: Number.POSITIVE_INFINITY, isOwn: true } },
    }),
    ...parts,
  } as unknown as AttentionParts);
}
const ids = async (attention: Attention) => (await attention.look()).map(({ id }) => id);

describe('the attention list', () => {
  it('says that checks are refused while they cannot be recorded', async () => {
    const ping = () => Promise.reject(new Error('database or disk is full'));
    const keys = { list: ping };
    const [finding] = await attentionOf({ storage: { ping }, keys }).look();
    expect(finding).toMatchObject({
      id: 'checks_refused',
      severity: 'critical',
      found: [{ text: 'Checks cannot be recorded: database or disk is full.', accountId: null }],
    });
  });

  it('contains keys that were sent in clear and can still be used and rotated', async () => {
    const ended = { ...inClear, expiresAt: '2026-11-26T11:30:00.000Z' };
    const ending = { ...inClear, expiresAt: '2026-11-27T00:00:00.000Z' };
    const revoked = { ...inClear, revokedAt: '2026-11-26T11:30:00.000Z' };
    const list = async (keys: readonly object[]) => ids(attentionOf({ keys: { list: async () => keys } }));
    expect(await list([inClear])).toEqual(['seen_in_clear']);
    expect(await list([ended, ending, revoked, { ...key, seenInClearAt: null }])).toEqual([]);
  });

  it('compares the failures of a provider within the last hour with the week before, once a minute for all callers', async () => {
    let now = NOW;
    let asked = 0;
    const ask = async (_kind: string, { since }: { since: string }) => {
      asked += 1;
      const isLately = Date.parse(since) === now - 3_600_000;
      const reasons = [
        { reason: 'not_run', checks: 900 },
        { reason: 'timeout', checks: isLately ? 90 : 10 },
      ];
      return { providers: [{ id: 'mx', timing: { measured: 1000 }, reasons }] };
    };
    const attention = attentionOf({ clock: { now: () => now }, insights: { ask } });
    expect(await ids(attention)).toEqual(['provider_unknowns_risen']);
    now += 59_000;
    await attention.look();
    expect(asked).toBe(2);
    now += 1_000;
    await attention.look();
    expect(asked).toBe(4);
  });

  it('leaves providers out where records cannot be read, and keeps its other entries', async () => {
    const insights = { ask: async () => Promise.reject(new Error('busy')) };
    expect(await ids(attentionOf({ insights, keys: { list: async () => [inClear] } }))).toEqual([
      'seen_in_clear',
    ]);
  });

  it('is a metric of each condition, updated each minute without a query of records', async () => {
    const seen = new Map<string, number>();
    let keys: readonly object[] = [inClear];
    const metrics = {
      ...noMetrics,
      set: (_name: string, { condition }: { condition: string }, value: number) => seen.set(condition, value),
    };
    const insights = { ask: async () => Promise.reject(new Error('records were read')) };
    let minute = () => {};
    const end = attentionOf({ metrics, insights, keys: { list: async () => keys } }).watch((ms, run) => {
      expect(ms).toBe(60_000);
      minute = run;
      return () => undefined;
    });
    await expect.poll(() => seen.get('seen_in_clear')).toBe(1);
    expect(seen.get('dns_out')).toBe(0);
    expect(seen.has('provider_unknowns_risen')).toBe(false);
    keys = [];
    minute();
    await expect.poll(() => seen.get('seen_in_clear')).toBe(0);
    end();
  });
});
