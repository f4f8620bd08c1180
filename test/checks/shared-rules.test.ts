import { join } from 'node:path';
import { Kysely } from 'kysely';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { RulesOvertaken } from '../../src/checks/rule-source.ts';
import { writeRuleFiles } from '../../src/checks/rules-directory.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { openRuleJobs } from '../../src/rule-lab/editing/in-process-rule-jobs.ts';
import { Publisher } from '../../src/rule-lab/editing/publisher.ts';
import { publishFirstRules } from '../../src/rule-lab/versions/shipped-rules.ts';
import type { Storage } from '../../src/storage/ports.ts';
import { notify, PostgresChangeListener } from '../../src/storage/postgres/change-listener.ts';
import { openPostgresStorage } from '../../src/storage/postgres/postgres-storage.ts';
import { describePostgres } from '../support/postgres.ts';
import { aCollector, aFact, aLocalProvider } from '../support/providers.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { NOON, rulesOf, startInstance } from './some-instances.ts';

/** The limit that operators are promised. */
const ON_ALL_WITHIN_MS = 2_000;

describePostgres('instances over one database', (database) => {
  beforeEach(() => database.empty());

  const log = createLogger('silent');
  async function open(): Promise<Storage> {
    const storage = await openPostgresStorage({ url: database.url, durability: 'commit', maxConnections: 2 });
    onTestFinished(() => storage.close());
    return storage;
  }

  /** An instance with its own listening connection; with `isDeaf` it receives no notification and must poll. */
  async function start({ isDeaf = false } = {}) {
    const storage = await open();
    const db = new Kysely<never>({ dialect: await storage.peopleStorage.sessionDialect() });
    const feed = new PostgresChangeListener({
      ...{ log, metrics: noMetrics, notify: (payload: string) => notify(db, payload) },
      url: isDeaf ? 'postgres://postgres@127.0.0.1:1/none' : database.url,
    });
    const isHeard = new Promise<void>((resolve) => {
      const end = feed.subscribe(() => {
        end();
        resolve();
      });
    });
    feed.begin();
    onTestFinished(() => feed.close());
    const instance = await startInstance({ storage, feed });
    await isHeard;
    await instance.reloader.idle();
    return { ...instance, storage };
  }

  type Instance = Awaited<ReturnType<typeof start>>;

  async function msUntilAllHave(instances: readonly Instance[], score: number): Promise<number> {
    const since = performance.now();
    await expect
      .poll(() => instances.map((one) => one.score()[0]), { interval: 5 })
      .toEqual(instances.map(() => score));
    return performance.now() - since;
  }

  it('all use a set within two seconds after one of them publishes it', async () => {
    const instances = [await start(), await start()];
    await instances[0]?.publish(rulesOf(20));
    expect(await msUntilAllHave(instances, 20)).toBeLessThan(ON_ALL_WITHIN_MS);
    expect(instances[0]?.inForce()).toEqual(instances[1]?.inForce());
    expect(await instances[0]?.versions.list()).toHaveLength(2);
  });

  it('all use it within two seconds also where one of them receives no notification', async () => {
    const instances = [await start(), await start({ isDeaf: true })];
    await instances[0]?.publish(rulesOf(20));
    expect(await msUntilAllHave(instances, 20)).toBeLessThan(ON_ALL_WITHIN_MS);
  });

  it('publish one of several sets that are published at once, and tell the others what is published', async () => {
    const instances = [await start(), await start()];
    const tries = [20, 30, 40, 50].map((score, index) =>
      instances[index % 2]?.source.publish(rulesOf(10), rulesOf(score), {
        ...{ author: `author ${score}`, restores: null, hash: null },
      }),
    );
    const outcomes = await Promise.allSettled(tries);
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    const [published, first, ...others] = await (await open()).ruleVersions.list();
    expect(lost).toHaveLength(3);
    for (const reason of lost) {
      expect(reason).toBeInstanceOf(RulesOvertaken);
      expect(String(reason)).toContain(`version 2 by ${published?.author} is published since`);
    }
    // The refused set has left no row, and no number is missing.
    expect([published?.version, first?.version, others]).toEqual([2, 1, []]);
    await msUntilAllHave(instances, Number(published?.author?.replace('author ', '')));
  });

  it('use the change of one of two people who publish at once on different instances', async () => {
    const publishers = await Promise.all(
      [await start(), await start()].map(async ({ source, versions, reloader, inForce, collector }) => {
        const clock = { now: () => NOON };
        const promotion = { minSO: 0.95, minHitPercent: 0.02, maxFalsePositivePercent: 1, days: 5 };
        const openRecords = () => {
          throw new Error('nothing is replayed');
        };
        const downloads = async () => [];
        const jobs = openRuleJobs({
          ...{ collector, providerOptions: {}, openRecords, downloads, promotion, clock },
        });
        return new Publisher({ source, versions, reloader, inForce, jobs, clock });
      }),
    );
    // Each has read what is published before one of them writes.
    const read = Promise.withResolvers<void>();
    let readers = 0;
    const outcomes = await Promise.allSettled(
      publishers.map((publisher, index) =>
        publisher.change(async () => {
          readers += 1;
          if (readers === publishers.length) read.resolve();
          await read.promise;
          return rulesOf(20 + index);
        }, `person ${index}@example.org`),
      ),
    );
    const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const told = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(done).toEqual([{ is: 'in_force', ruleset: expect.any(String), version: 2 }]);
    expect(told).toMatchObject([
      {
        code: 'rules_changed',
        // From the version that both edited to the version that the other has published.
        details: [{ diff: expect.stringMatching(/^-.*points: 10.*\n\+.*points: 2[01]/m) }],
      },
    ]);
  });

  it('make one first version from their directories, however many start at once', async () => {
    const provider = aLocalProvider('x', { facts: [aFact('x.seen', { never_unknown: true })] });
    const { collector } = await aCollector([provider]);
    const dir = join(temporaryDirectory(), 'rules');
    await writeRuleFiles(dir, {}, rulesOf(60));
    const storages = await Promise.all(Array.from({ length: 10 }, open));
    await Promise.all(
      storages.map((storage) =>
        publishFirstRules({
          ...{ storage, catalogue: collector.catalogue, clock: { now: () => NOON }, log },
          rules: { dir, shippedDir: null },
        }),
      ),
    );
    const [first, ...others] = (await storages[0]?.ruleVersions.list()) ?? [];
    expect(first).toMatchObject({ version: 1, reason: 'start' });
    expect(others).toEqual([]);
    expect(await storages[9]?.ruleVersions.published()).toEqual(first);
    expect(await storages[9]?.ruleVersions.filesOf(1)).toEqual(rulesOf(60));
  });
});
