import { ATTENTION, Attention, type AttentionParts, youngestListDays } from '../../attention/attention.ts';
import type { Watched } from '../../attention/conditions.ts';
import type { ActivePolicy } from '../../checks/active-policy.ts';
import { describeComplaint, type RulesReloader } from '../../checks/rules-reloader.ts';
import type { DependencyContainer } from '../../di.ts';
import { hasOwnAuthority } from '../../http/server/certificate.ts';
import type { Listeners } from '../../http/server/listeners.ts';
import type { ListRefresher } from '../../lists/list-refresher.ts';
import { DNS_SERVERS } from '../../net/name-server.ts';
import type { SignalCollector } from '../../signals/signal-collector.ts';
import type { Storage } from '../../storage/ports.ts';
import type { Retention } from '../../storage/retention.ts';
import type { Config } from '../config/config.ts';

interface Parts extends Pick<AttentionParts, 'clock' | 'log' | 'metrics' | 'insights'> {
  readonly config: Config;
  readonly container: DependencyContainer;
  readonly collector: SignalCollector;
  readonly policies: Pick<ActivePolicy, 'current'>;
  readonly reloader: Pick<RulesReloader, 'complaint'>;
  readonly retention: Pick<Retention, 'waits'>;
  readonly refresher: Pick<ListRefresher, 'complaints'>;
  readonly listeners: Pick<Listeners, 'certificateEnd'>;
  readonly storage: Pick<Storage, 'keys'>;
}

/** Binds what tells of the conditions that want attention, and has `/metrics` show them where it is open. */
export function bindAttention(parts: Parts): Attention {
  const { config, container, collector, policies, reloader, retention, refresher, listeners } = parts;
  const servers = container.resolve(DNS_SERVERS);
  const read = (): Omit<Watched, 'now' | 'keysInClear' | 'providers'> => ({
    rules: reloader.complaint && describeComplaint(reloader.complaint, config.rules.source === 'database'),
    retention: retention.waits,
    downloads: refresher.complaints,
    builtInListDays:
      config.lists.urls.length > 0
        ? null
        : youngestListDays(collector.catalogue, policies.current.providers, parts.clock.now()),
    dnsServers: servers(),
    certificate: { endMs: listeners.certificateEnd(), isOwn: hasOwnAuthority(config) },
  });
  const attention = new Attention({ ...parts, keys: parts.storage.keys, read });
  container.registerInstance(ATTENTION, attention);
  return attention;
}
