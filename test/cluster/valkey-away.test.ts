import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './support/cluster.ts';
import { type Outcome, startLoad } from './support/load.ts';
import { whyNoCluster } from './support/programs.ts';
import { summary } from './support/records.ts';

const INSTANCES = 2;
/** Below the load of PER_SECOND, so that the limit is reached. */
const LIMIT = { requests: 100, windowMs: 4_000 };
const PER_SECOND = 40;
/** Checked again and again, so that velocity raises their scores. */
const ADDRESSES = 20;

const name = `${INSTANCES} instances whose Valkey is stopped and started under load`;

describe.skipIf(whyNoCluster)(whyNoCluster ? `${name} (${whyNoCluster})` : name, () => {
  let cluster: Cluster;
  let stoppedAt: number;
  let backAt: number;
  let outcomes: readonly Outcome[];

  beforeAll(async () => {
    cluster = await startCluster({
      instances: INSTANCES,
      env: {
        POSTERN__RATE_LIMIT__REQUESTS: String(LIMIT.requests),
        POSTERN__RATE_LIMIT__WINDOW_SECONDS: String(LIMIT.windowMs / 1000),
      },
    });
    const { balancer, ca, key, valkey } = cluster;
    // One mailbox in many forms.
    const emailOf = (n: number) => `karla.meyer+${n % ADDRESSES}@firm.example`;
    const load = startLoad({ port: balancer.port, ca, key, perSecond: PER_SECOND, emailOf });
    await wait(LIMIT.windowMs);
    stoppedAt = Date.now();
    await valkey.stop();
    await wait(2 * LIMIT.windowMs);
    await valkey.start();
    backAt = Date.now();
    await wait(2 * LIMIT.windowMs);
    outcomes = await load.stop();
  });
  afterAll(() => cluster?.stop());

  const isAway = ({ dueAt, endedAt }: Outcome) => dueAt > stoppedAt + 1_000 && endedAt < backAt;
  const answers = () => outcomes.filter(({ status }) => status === 200);

  it('answer with no 5xx', () => {
    expect(summary(outcomes.filter(({ status }) => status !== 200 && status !== 429))).toEqual({});
  });

  it('say meanwhile that velocity is unknown, and score no address higher than before', () => {
    const away = answers().filter(isAway);
    expect(away.filter(({ degraded }) => !degraded?.split(', ').includes('velocity'))).toEqual([]);
    expect(away.length).toBeGreaterThan(0);
    const before = answers().filter(({ endedAt }) => endedAt < stoppedAt);
    const highest = (those: readonly Outcome[]) => Math.max(...those.map(({ score = Number.NaN }) => score));
    for (const address of new Set(away.map(({ email }) => email))) {
      const ofAddress = ({ email }: Outcome) => email === address;
      expect(highest(away.filter(ofAddress)), address).toBeLessThanOrEqual(highest(before.filter(ofAddress)));
    }
    // Otherwise velocity added no points before, and the test proves nothing.
    expect(highest(before)).toBeGreaterThan(highest(away));
  });

  it('limit the rate by themselves meanwhile, each at its share of the limit', () => {
    const away = outcomes.filter(isAway);
    const passed = away.filter(({ status }) => status === 200).length;
    const windows = (backAt - stoppedAt - 1_000) / LIMIT.windowMs;
    expect(summary(away)).toHaveProperty('429 rate_limited');
    // The instances' windows do not start together, which may add one window.
    expect(passed).toBeLessThanOrEqual(LIMIT.requests * (Math.ceil(windows) + 1));
    expect(passed).toBeGreaterThanOrEqual(LIMIT.requests * Math.floor(windows) * 0.5);
  });

  it('count again when it is back, without a restart', () => {
    const later = answers().filter(({ dueAt }) => dueAt > backAt + LIMIT.windowMs);
    expect(new Set(later.map(({ degraded }) => degraded))).toEqual(new Set([undefined]));
  });
});
