import { statSync } from 'node:fs';
import { ATTENTION, Attention, type AttentionParts, youngestListDays } from '../../attention/attention.ts';
import type { ActivePolicy } from '../../checks/active-policy.ts';
import type { RulesReloader } from '../../checks/rules-reloader.ts';
import { hasOwnAuthority } from '../../http/server/certificate.ts';
import type { Listeners } from '../../http/server/listeners.ts';
import { isPostgresUrl } from '../../lib/service-url.ts';
import type { ListRefresher } from '../../lists/list-refresher.ts';
import { LIST_RESULTS } from '../../lists/list-store.ts';
import { DNS_SERVERS } from '../../net/name-server.ts';
import type { OpenMetrics } from '../../observability/open-metrics.ts';
import { listsOf } from '../../signals/prepare-providers.ts';
import { PROVIDER_FAULTS } from '../../signals/signals.ts';
import type { Storage } from '../../storage/ports.ts';
import type { Retention } from '../../storage/retention.ts';
import type { Config } from '../config/config.ts';
import type { ServiceParts } from './service.ts';
import type { ServiceState } from './service-data.ts';

export interface WatchedParts {
  readonly config: { readonly storage: Pick<Config['storage'], 'url'> };
  readonly listeners: Pick<Listeners, 'connections' | 'certificateEnd'>;
  readonly policies: Pick<ActivePolicy, 'current' | 'memoCounts'>;
  readonly reloader: Pick<RulesReloader, 'complaint'>;
  readonly retention: Pick<Retention, 'waits'>;
  readonly refresher: Pick<ListRefresher, 'ages'>;
  readonly storage: { readonly checks: Pick<Storage['checks'], 'pending'> };
  readonly state: Pick<ServiceState, 'memory'>;
}

/** Makes and binds `Attention`, which finds the conditions that need a person. */
export function bindAttention(parts: ServiceParts & Pick<WatchedParts, 'listeners'>): Attention {
  const { config, container, collector, policies, reloader, retention, refresher, listeners } = parts;
  const servers = container.resolve(DNS_SERVERS);
  const read: AttentionParts['read'] = () => ({
    rules: reloader.complaintText,
    retention: retention.waits,
    downloads: refresher.complaints,
    builtInListDays:
      config.lists.urls.length > 0
        ? null
        : youngestListDays(collector.catalogue, policies.current.providers, parts.clock.now()),
    dnsServers: servers(),
    quota: config.quota.checksPerMonth ?? Number.POSITIVE_INFINITY,
    certificate: { endMs: listeners.certificateEnd(), isOwn: hasOwnAuthority(config) },
  });
  const attention = new Attention({ ...parts, keys: parts.storage.keys, usage: parts.storage.usage, read });
  container.registerInstance(ATTENTION, attention);
  return attention;
}

/** Registers the metrics that each exposition reads from parts of the service, because no event reports them. */
export function watchService(metrics: OpenMetrics, parts: WatchedParts): void {
  const { config, listeners, policies, reloader, refresher, retention, storage, state } = parts;
  const inMemory = (value: (stats: NonNullable<ReturnType<ServiceState['memory']>>) => number) => {
    const stats = state.memory();
    return stats === null ? [] : [[{}, value(stats)] as const];
  };
  const lists = () => listsOf(policies.current.providers);
  for (const [list] of refresher.ages) {
    for (const result of LIST_RESULTS) metrics.count('postern_list_refreshes_total', { list, result }, 0);
  }
  for (const provider of policies.current.providers.byId.keys()) {
    for (const fault of PROVIDER_FAULTS)
      metrics.count('postern_provider_faults_total', { provider, fault }, 0);
  }
  metrics.watch({
    postern_ruleset_info: () => [[{ ruleset: policies.current.ruleSet.hash }, 1]],
    postern_rules_complaint: () => [[{}, reloader.complaint === undefined ? 0 : 1]],
    postern_retention_waits: () => [[{}, retention.waits === undefined ? 0 : 1]],
    postern_challenger_info: () => {
      const { challenger } = policies.current;
      return challenger ? [[{ ruleset: challenger.ruleSet.hash }, 1]] : [];
    },
    postern_memo_reads_total: () => [
      [{ result: 'hit' }, policies.memoCounts.hits],
      [{ result: 'miss' }, policies.memoCounts.misses],
    ],
    postern_list_timestamp_seconds: () =>
      lists().flatMap(([provider, { name: list, date = '' }]) => {
        const time = Date.parse(date);
        return Number.isNaN(time) ? [] : [[{ provider, list }, time / 1000] as const];
      }),
    postern_list_entries: () =>
      lists().map(([provider, { name: list, entries }]) => [{ provider, list }, entries]),
    postern_list_confirmed_timestamp_seconds: () =>
      refresher.ages.flatMap(([list, confirmedMs]) =>
        confirmedMs === null ? [] : [[{ list }, confirmedMs / 1000] as const],
      ),
    postern_connections: () => listeners.connections().map(([port, open]) => [{ port }, open]),
    postern_certificate_end_timestamp_seconds: () => [[{}, listeners.certificateEnd() / 1000]],
    postern_database_bytes: () =>
      isPostgresUrl(config.storage.url)
        ? []
        : [
            [{ file: 'database' }, sizeOf(config.storage.url)],
            [{ file: 'log' }, sizeOf(`${config.storage.url}-wal`)],
          ],
    postern_commit_queue_rows: () => [[{}, storage.checks.pending]],
    postern_counts_bytes: () => inMemory(({ octets }) => octets),
    postern_counts_forgotten_total: () => inMemory(({ forgotten }) => forgotten),
  });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
