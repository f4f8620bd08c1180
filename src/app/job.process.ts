// The only entry of child processes. Each process runs one program and loads only the modules of that program. When run from TypeScript,
// the modules of `insights`, `contract` and `lists` must be erasable; `rules` has decorators, and runs in the main process then.

import { setPriority } from 'node:os';
import type { RuleProcessSetup } from '../checks/rule-judge.ts';
import type { InsightsSetup } from '../insights/insights-queue.ts';
import { serveJobs } from '../jobs/job-process.ts';
import { once } from '../lib/concurrency.ts';
import { systemClock } from '../lib/time.ts';
import type { ListJobs, ListUpdateOrder, ListUpdateSetup } from '../lists/update-in-process.ts';
import type { ContractSetup } from '../signals/contract-process.ts';

/** Customers come first where there are too few cores for both. */
const LOW_PRIORITY = 10;

/**
 * For programs that run plugins. An unhandled error of a plugin's timer or promise fails no job; the service reports the same error. Other
 * errors end the process.
 */
const watchPlugins = once(async () => {
  const { pluginAtWork } = await import('../signals/plugin-work.ts');
  process.on('uncaughtException', (error) => {
    if (pluginAtWork() !== undefined) return;
    console.error(error);
    process.exit(1);
  });
  // The error of the job cannot name the plugin: this process is gone before it answers.
  process.on('exit', () => {
    const plugin = pluginAtWork();
    if (plugin !== undefined) console.error(`postern: provider ${plugin} has ended the process`);
  });
});

serveJobs({
  async rules({ config, providerOptions }: RuleProcessSetup) {
    await watchPlugins();
    const { openLocalCollector } = await import('./compose/pipeline.ts');
    const { openRuleJobs } = await import('../rule-lab/editing/in-process-rule-jobs.ts');
    const { openRecordedChecks, readingUrl } = await import('../storage/open-storage.ts');
    // Loaded on demand: most jobs need no lists.
    const downloads = async () => {
      const { DownloadedLists } = await import('../lists/downloaded-lists.ts');
      const { openListStore } = await import('../lists/open-list-store.ts');
      const { createLogger } = await import('../observability/logger.ts');
      await using opened = await openListStore(config);
      return new DownloadedLists(opened.store, config.lists.urls, createLogger('silent')).load();
    };
    return openRuleJobs({
      collector: await openLocalCollector(config),
      providerOptions,
      downloads,
      openRecords: () => openRecordedChecks(readingUrl(config.storage)),
      promotion: config.rules.promotion,
      clock: systemClock,
    });
  },

  async insights({ url, providerOf }: InsightsSetup) {
    setPriority(LOW_PRIORITY);
    const { openRecords } = await import('../storage/open-storage.ts');
    const { insightsReader } = await import('../storage/shared/insights-reader.ts');
    return insightsReader(await openRecords(url), { providerOf, now: Date.now });
  },

  async contract(setup: ContractSetup) {
    await watchPlugins();
    const { openContract } = await import('../signals/contract-process.ts');
    return openContract(setup);
  },

  async lists(setup: ListUpdateSetup) {
    const { createDnsResolver } = await import('../net/create-dns-resolver.ts');
    const { openListStore } = await import('../lists/open-list-store.ts');
    const { previewList, updateList } = await import('../lists/update-list.ts');
    const { store } = await openListStore(setup);
    const tools = { config: setup.lists, store, dns: createDnsResolver(setup.dns), clock: systemClock };
    return {
      update: ({ url, allowed, ...looked }: ListUpdateOrder) =>
        updateList(url, { ...tools, allowed }, looked),
      preview: ({ url, allowed, accepted = false }: ListUpdateOrder) =>
        previewList(url, { ...tools, allowed }, accepted),
    } satisfies ListJobs;
  },
});
