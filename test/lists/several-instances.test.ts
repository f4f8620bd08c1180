import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { DownloadedLists } from '../../src/lists/downloaded-lists.ts';
import { ListRefresher } from '../../src/lists/list-refresher.ts';
import { previewList, updateList } from '../../src/lists/update-list.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import { openPostgresListStore } from '../../src/storage/postgres/postgres-records.ts';
import { openPostgresStorage } from '../../src/storage/postgres/postgres-storage.ts';
import { eventually } from '../support/eventually.ts';
import { describePostgres } from '../support/postgres.ts';
import { NO_DNS, numbered, START, URL } from './a-list.ts';

const HOUR_MS = 3_600_000;
const CONFIG = {
  ...{ urls: [URL], staleAfterHours: 72, refreshHours: 6 },
  ...{ maxBytes: 1e6, maxChangePercent: 10, allowPrivateAddresses: false },
};
const log = pino({ level: 'silent' });

describePostgres('instances that share a database', (database) => {
  /** A source whose downloads wait until the test releases them. */
  function aSource() {
    const asked: string[] = [];
    const answered = Promise.withResolvers<void>();
    return {
      ...{ asked, answer: answered.resolve },
      async download() {
        asked.push(URL);
        await answered.promise;
        const bytes = Buffer.from(numbered(20 + asked.length).join('\n'));
        const validators = { etag: null, lastModified: null };
        return { outcome: 'fetched', bytes, contentType: 'text/plain', ...validators } as const;
      },
    };
  }

  async function startInstance(source: ReturnType<typeof aSource>, clock: { time: number; now(): number }) {
    const opened = new AsyncDisposableStack();
    const storage = await openPostgresStorage({ url: database.url, durability: 'commit' });
    opened.defer(() => storage.close());
    const { store } = opened.use(openPostgresListStore(database.url));
    const downloads = new DownloadedLists(store, [URL], log);
    const inForce: number[] = [];
    const tools = { config: CONFIG, store, dns: NO_DNS, clock, allowed: [], download: source.download };
    const refresher = new ListRefresher({
      ...{ config: CONFIG, store, jobLock: storage.jobLock, downloads, clock, log, metrics: noMetrics },
      update: (url, looked) => updateList(url, tools, looked),
      preview: (url, accepted) => previewList(url, tools, accepted),
      takeNews: async () => {
        for (const { entries } of await downloads.load()) inForce.push(entries);
      },
    });
    opened.defer(() => refresher.stop());
    const stop = () => opened.disposeAsync();
    onTestFinished(stop);
    return { refresher, inForce, stop };
  }

  it('download a list once, whichever is first, and all use it', async () => {
    await (await openPostgresStorage({ url: database.url, durability: 'commit' })).close();
    await database.empty();
    const clock = { time: START, now: () => clock.time };
    const source = aSource();
    const instances = await Promise.all([1, 2, 3].map(() => startInstance(source, clock)));
    const looks = instances.map(({ refresher }) => refresher.look());
    await eventually(() => expect(source.asked).toHaveLength(1));
    source.answer();
    await Promise.all(looks);
    expect(source.asked).toHaveLength(1);
    expect(instances.map(({ inForce }) => inForce)).toEqual([[21], [21], [21]]);

    // Later too, by another instance where the one that downloaded it is gone.
    await instances[0]?.stop();
    clock.time += 7 * HOUR_MS;
    await Promise.all(instances.slice(1).map(({ refresher }) => refresher.look()));
    expect(source.asked).toHaveLength(2);
    expect(instances.slice(1).map(({ inForce }) => inForce.at(-1))).toEqual([22, 22]);
  });
});
