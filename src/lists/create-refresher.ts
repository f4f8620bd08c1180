import type { PolicyBook } from '../checks/policy-book.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Clock, DnsResolver } from '../provider-kit/index.ts';
import { createUpdateTools, longestWaitMs } from './create-update-tools.ts';
import type { DownloadedLists } from './downloaded-lists.ts';
import { ListRefresher } from './list-refresher.ts';
import { ListStore } from './list-store.ts';

export interface RefresherParts {
  readonly config: Config;
  readonly dns: DnsResolver;
  readonly downloads: DownloadedLists;
  readonly policies: PolicyBook;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The service's refresher of `lists.urls`, not started yet. */
export function createRefresher(parts: RefresherParts): ListRefresher {
  const { config, dns, downloads, policies, clock, log, metrics } = parts;
  const store = new ListStore(config.dataDir);
  return new ListRefresher({
    urls: config.lists.urls,
    staleAfterHours: config.lists.staleAfterHours,
    store,
    longestWaitMs: longestWaitMs(config.lists),
    tools: (signal) => {
      const allowed = policies.current.ruleSet.lists.allow;
      return createUpdateTools({ config: config.lists, store, dns, clock, allowed, signal });
    },
    isNews: (state) => downloads.isNews(state),
    takeNews: () => policies.reloadDownloads(),
    clock,
    log,
    metrics,
  });
}
