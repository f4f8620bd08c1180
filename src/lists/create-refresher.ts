import type { Config } from '../app/config/config.ts';
import type { ActivePolicy } from '../checks/active-policy.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Clock } from '../provider-kit/index.ts';
import type { DownloadedLists } from './downloaded-lists.ts';
import { ListRefresher } from './list-refresher.ts';
import { ListStore } from './list-store.ts';
import { updateInProcess } from './update-in-process.ts';
import { longestWaitMs } from './update-list.ts';

export interface RefresherParts {
  readonly config: Config;
  readonly downloads: DownloadedLists;
  readonly policies: ActivePolicy;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The service's refresher of `lists.urls`, not started yet. */
export function createRefresher({ config, downloads, policies, ...parts }: RefresherParts): ListRefresher {
  const { dataDir, dns, lists } = config;
  return new ListRefresher({
    urls: lists.urls,
    staleAfterHours: lists.staleAfterHours,
    longestWaitMs: longestWaitMs(lists),
    store: new ListStore(dataDir),
    update: (url, signal, accepted = false) => {
      const allowed = policies.current.ruleSet.lists.allow;
      return updateInProcess({ url, allowed, accepted }, { dataDir, dns, lists }, signal);
    },
    isNews: (state) => downloads.isNews(state),
    takeNews: () => policies.reloadDownloads(),
    ...parts,
  });
}
