import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Cluster, startCluster } from './support/cluster.ts';
import { type Outcome, startLoad } from './support/load.ts';
import { buildBefore } from './support/previous-build.ts';
import { whyNoCluster } from './support/programs.ts';
import { answered, missingRecords, summary } from './support/records.ts';

const INSTANCES = 2;
/** Longer than HAProxy takes to see that an instance is not ready. */
const DRAIN_MS = 2_500;

const before = whyNoCluster ? { reason: whyNoCluster } : buildBefore();
const why = 'reason' in before ? before.reason : null;

describe.skipIf(why)(`instances of the commit before${why ? ` (${why})` : ''}`, () => {
  let cluster: Cluster;
  let outcomes: readonly Outcome[];
  beforeAll(async () => {
    if ('reason' in before) return;
    cluster = await startCluster({
      instances: INSTANCES,
      program: before.program,
      env: {
        POSTERN__RATE_LIMIT__REQUESTS: '1000000',
        POSTERN__HTTP__DRAIN_DELAY_MS: String(DRAIN_MS),
      },
    });
    const { balancer, ca, key, instances } = cluster;
    const load = startLoad({ port: balancer.port, ca, key, perSecond: 25 });
    await wait(1_000);
    for (const instance of instances) {
      expect(await instance.stop()).toBe(0);
      await instance.start();
      await eventually(() => expect(balancer.log()).toContain(`${instance.name} is UP`));
    }
    await wait(1_000);
    outcomes = await load.stop();
  });
  afterAll(() => cluster?.stop());

  it('are replaced by those of this one, one after the other over one database, and no request fails', async () => {
    expect(answered(outcomes).length).toBeGreaterThan(0);
    expect(summary(outcomes)).toEqual({ 200: outcomes.length });
    expect(new Set(outcomes.map(({ instance }) => instance)).size).toBe(INSTANCES);
    expect(await missingRecords(cluster, outcomes)).toEqual([]);
  });
});
