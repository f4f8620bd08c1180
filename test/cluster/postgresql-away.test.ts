import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './support/cluster.ts';
import { type Outcome, startLoad } from './support/load.ts';
import { whyNoCluster } from './support/programs.ts';
import { answered, missingRecords, summary } from './support/records.ts';

const INSTANCES = 2;
const AWAY_MS = 3_000;
const BACK_MS = 2_000;

const name = `${INSTANCES} instances whose PostgreSQL is stopped and started under load`;

describe.skipIf(whyNoCluster)(whyNoCluster ? `${name} (${whyNoCluster})` : name, () => {
  let cluster: Cluster;
  let stoppedAt: number;
  let backAt: number;
  let outcomes: readonly Outcome[];

  beforeAll(async () => {
    cluster = await startCluster({
      instances: INSTANCES,
      env: { POSTERN__RATE_LIMIT__REQUESTS: '1000000' },
    });
    const { balancer, ca, key, postgres } = cluster;
    const load = startLoad({ port: balancer.port, ca, key, perSecond: 25 });
    await wait(1_500);
    stoppedAt = Date.now();
    await postgres.stop();
    await wait(AWAY_MS);
    await postgres.start();
    backAt = Date.now();
    await wait(BACK_MS + 2_000);
    outcomes = await load.stop();
  });
  afterAll(() => cluster?.stop());

  it('refuse with 503 and Retry-After meanwhile, and with nothing else', () => {
    const refused = outcomes.filter(({ status }) => status !== 200);
    const proper = refused.filter(
      ({ status, code, retryAfter }) => status === 503 && code === 'unavailable' && Number(retryAfter) > 0,
    );
    expect(summary(refused)).toEqual(summary(proper));
    // Instances refuse some requests, until the balancer marks them as down.
    expect(proper.filter(({ instance }) => instance !== undefined).length).toBeGreaterThan(0);
    const during = outcomes.filter(({ dueAt }) => dueAt > stoppedAt + 500 && dueAt < backAt - 500);
    expect(new Set(during.map(({ status }) => status))).toEqual(new Set([503]));
  });

  it('answer again within two seconds after it takes connections', () => {
    const later = outcomes.filter(({ dueAt }) => dueAt > backAt + BACK_MS);
    expect(later.length).toBeGreaterThan(0);
    expect(summary(later)).toEqual({ 200: later.length });
  });

  it('have lost nothing that was answered', async () => {
    expect(answered(outcomes).length).toBeGreaterThan(0);
    expect(await missingRecords(cluster, outcomes)).toEqual([]);
  });
});
