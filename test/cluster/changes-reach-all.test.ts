import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, METRICS_TOKEN, startCluster } from './support/cluster.ts';
import type { Instance } from './support/instance.ts';
import { startLoad } from './support/load.ts';
import { type ClusterPerson, joinAsOwner, signIn } from './support/person.ts';
import { probeRules, publish } from './support/probe-rules.ts';
import { whyNoCluster } from './support/programs.ts';
import { summary } from './support/records.ts';

const INSTANCES = 3;
/** Time limits until a revocation, and until a publication, takes effect on all instances. */
const REVOKED_MS = 1_000;
const PUBLISHED_MS = 2_000;

const name = 'a change at one instance';

describe.skipIf(whyNoCluster)(whyNoCluster ? `${name} (${whyNoCluster})` : name, () => {
  let cluster: Cluster;
  let owner: ClusterPerson;
  let accountId: string;
  beforeAll(async () => {
    cluster = await startCluster({
      instances: INSTANCES,
      env: { POSTERN__RATE_LIMIT__REQUESTS: '1000000' },
    });
    owner = await joinAsOwner(cluster);
    const { json } = await owner.ask(first(), 'GET', '/session');
    accountId = json.accounts[0].id;
  });
  afterAll(() => cluster?.stop());

  const first = () => cluster.instances[0] as Instance;
  const others = () => cluster.instances.slice(1);
  const check = (instance: Instance, key: string) =>
    instance.send({
      ...{ method: 'POST', path: '/v1/', body: '{"email":"someone@example.com"}' },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
  const areListenersDown = () =>
    Promise.all(
      cluster.instances.map(async (instance) => {
        const { text } = await instance.send({
          path: '/metrics',
          headers: { authorization: `Bearer ${METRICS_TOKEN}` },
        });
        return /^postern_change_listener_down (\d)$/m.exec(text)?.[1];
      }),
    );

  /** Polls: on a slow server a listener may lose its connection for some seconds. */
  const expectListenersDown = (down: '0' | '1') =>
    expect.poll(areListenersDown).toEqual(cluster.instances.map(() => down));

  const endListeners = () =>
    cluster.postgres.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'postern-listen'`,
    );
  /** Ends each listener connection as soon as it is seen, until disposed of. */
  function keepListenersAway(): AsyncDisposable {
    const over = new AbortController();
    const ended = (async () => {
      while (!over.signal.aborted) {
        await endListeners();
        await wait(20);
      }
    })();
    return {
      async [Symbol.asyncDispose]() {
        over.abort();
        await ended;
      },
    };
  }

  it('is that a key is revoked, which all refuse within a second', async () => {
    const made = await owner.ask(first(), 'POST', `/accounts/${accountId}/keys`, {
      name: 'b',
      environment: 'live',
    });
    const { key, secret } = made.json;
    const isTaken = async (instance: Instance) => (await check(instance, secret)).status === 200;
    expect(await Promise.all(cluster.instances.map(isTaken))).toEqual(cluster.instances.map(() => true));
    await owner.ask(first(), 'POST', `/accounts/${accountId}/keys/${key.id}/revoke`);
    const revokedAt = Date.now();
    expect((await check(first(), secret)).status).toBe(401);
    const refusedAfter = async (instance: Instance) => {
      while (await isTaken(instance)) await wait(20);
      return Date.now() - revokedAt;
    };
    expect(Math.max(...(await Promise.all(others().map(refusedAfter))))).toBeLessThan(REVOKED_MS);
  });

  it('is that a person signs in, who works on another and signs out on a third', async () => {
    const person = await signIn(first());
    const [second, third] = others() as [Instance, Instance];
    const draft = await person.ask(second, 'POST', '/rules/drafts', { name: 'mine' });
    expect((await person.ask(third, 'GET', `/rules/drafts/${draft.json.id}`)).json.name).toBe('mine');
    await person.ask(third, 'DELETE', '/session');
    for (const instance of cluster.instances)
      expect((await person.ask(instance, 'GET', '/session')).json.person).toBeNull();
  });

  it('is that rules are published, by which all decide within two seconds, and no check by a mixture', async () => {
    const { balancer, ca, key } = cluster;
    const load = startLoad({ port: balancer.port, ca, key, perSecond: 25 });
    const points = new Map<string, number>();
    for (const [n, each] of [7, 31].entries()) points.set(await publishEverywhere(each, n), each);
    await wait(500);
    const outcomes = (await load.stop()).filter(({ instance }) => instance !== undefined);
    expect(summary(outcomes)).toEqual({ 200: outcomes.length });
    // Each score must match the rule set in its header; before the first publication the score is 0.
    const mixed = outcomes.filter(({ ruleset = '', score }) => score !== (points.get(ruleset) ?? 0));
    expect(mixed).toEqual([]);
    expect(new Set(outcomes.map(({ ruleset }) => ruleset)).size).toBe(points.size + 1);
  });

  it('is seen by looking when announcements are not heard, which a metric tells, and is announced again afterwards', async () => {
    await expectListenersDown('0');
    {
      await using _away = keepListenersAway();
      await expectListenersDown('1');
      await publishEverywhere(43);
    }
    await expectListenersDown('0');
    await publishEverywhere(50);
  });

  it('is not missed when the server ends the connections on which announcements are heard', async () => {
    await expectListenersDown('0');
    expect(await endListeners()).toHaveLength(INSTANCES);
    await publishEverywhere(11);
  });

  /** Publishes at one instance, and expects all others to use the set within PUBLISHED_MS. Resolves to the set. */
  async function publishEverywhere(points: number, at = 0): Promise<string> {
    const { instances } = cluster;
    const publisher = instances[at] as Instance;
    const { at: publishedAt, ruleset } = await publish(owner, publisher, probeRules(points));
    const takenAfter = async (instance: Instance) => {
      while ((await check(instance, cluster.key)).headers['postern-ruleset'] !== ruleset) {
        if (Date.now() - publishedAt > 10_000) return Number.POSITIVE_INFINITY;
        await wait(50);
      }
      return Date.now() - publishedAt;
    };
    const times = await Promise.all(instances.filter((one) => one !== publisher).map(takenAfter));
    expect(Math.max(...times)).toBeLessThan(PUBLISHED_MS);
    return ruleset;
  }
});
