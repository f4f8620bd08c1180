import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/transmit.ts';
import { type Cluster, startCluster } from './support/cluster.ts';
import type { Instance } from './support/instance.ts';
import { whyNoCluster } from './support/programs.ts';

const CHECKS = 60;
/** How long a client should wait for one attempt: docs/api.md. */
const CLIENT_MS = 1_000;
/** How long a check waits for the counts in Valkey. */
const COUNTS_MS = 20;

const name = 'a check';

describe.skipIf(whyNoCluster)(whyNoCluster ? `${name} (${whyNoCluster})` : name, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({
      instances: 1,
      env: { POSTERN__RATE_LIMIT__REQUESTS: '1000000' },
      through: ['postgres', 'valkey'],
    });
    await times(20);
  });
  afterAll(() => cluster?.stop());
  afterEach(() => {
    cluster.proxies.postgres.delayMs = 0;
    cluster.proxies.valkey.delayMs = 0;
  });

  /** Sends checks one after the other. Resolves to each answer and its duration. */
  async function times(checks: number): Promise<readonly { readonly answer: Answer; readonly ms: number }[]> {
    const [instance] = cluster.instances as [Instance];
    const taken = [];
    for (let n = 0; n < checks; n++) {
      const begun = performance.now();
      const answer = await instance.send({
        ...{ method: 'POST', path: '/v1/', body: JSON.stringify({ email: `user${n}@example.com` }) },
        headers: { authorization: `Bearer ${cluster.key}`, 'content-type': 'application/json' },
      });
      taken.push({ answer, ms: performance.now() - begun });
    }
    return taken;
  }

  /** Round trips per check. Idle round trips, counted over an equal time without checks, are subtracted. */
  async function roundTripsOf(part: 'postgres' | 'valkey', checks: number): Promise<number> {
    const proxy = cluster.proxies[part];
    const [before, begun] = [proxy.roundTrips, Date.now()];
    await times(checks);
    const [after, took] = [proxy.roundTrips, Date.now() - begun];
    await new Promise((resolve) => setTimeout(resolve, took));
    return (after - before - (proxy.roundTrips - after)) / checks;
  }

  it('costs at most two round trips to PostgreSQL, and waits for no more', async () => {
    // One check in a hundred also asks for the remaining quota.
    expect(await roundTripsOf('postgres', CHECKS)).toBeLessThanOrEqual(2 + 2 / CHECKS);
    const without = middle(await times(CHECKS));
    cluster.proxies.postgres.delayMs = 50;
    expect(middle(await times(CHECKS)) - without).toBeLessThan(3 * 50);
  });

  it('waits for at most one round trip to Valkey', async () => {
    const without = middle(await times(CHECKS));
    cluster.proxies.valkey.delayMs = 10;
    const taken = await times(CHECKS);
    expect(middle(taken) - without).toBeLessThan(2 * 10);
    // Otherwise the checks gave up on Valkey instead of waiting.
    const waited = taken.filter(({ answer }) => answer.headers['postern-degraded'] === undefined);
    expect(waited.length).toBeGreaterThan(CHECKS / 2);
  });

  it(`goes on without velocity when Valkey takes longer than ${COUNTS_MS} ms, and is answered in time`, async () => {
    const without = middle(await times(CHECKS));
    cluster.proxies.valkey.delayMs = 500;
    const taken = await times(CHECKS);
    expect(taken.map(({ answer }) => answer.status)).toEqual(taken.map(() => 200));
    expect(new Set(taken.map(({ answer }) => answer.headers['postern-degraded']))).toEqual(
      new Set(['velocity']),
    );
    expect(middle(taken) - without).toBeLessThan(2 * COUNTS_MS);
  });

  it('is answered within the second that a client waits when both are slow', async () => {
    cluster.proxies.postgres.delayMs = 200;
    cluster.proxies.valkey.delayMs = 500;
    const taken = await times(10);
    expect(taken.map(({ answer }) => answer.status)).toEqual(taken.map(() => 200));
    expect(Math.max(...taken.map(({ ms }) => ms))).toBeLessThan(CLIENT_MS);
  });
});

/** The median duration, in milliseconds. */
function middle(taken: readonly { readonly ms: number }[]): number {
  const sorted = taken.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
