import { ACTIVE_POLICY, ActivePolicy } from '../../checks/active-policy.ts';
import { Assessor, RolloutBuckets } from '../../checks/assessor.ts';
import type { RuleSource } from '../../checks/rule-source.ts';
import { RulesDirectory } from '../../checks/rules-directory.ts';
import { createContainer } from '../../di.ts';
import { CLOCK, systemClock, type TellWait } from '../../lib/time.ts';
import { DownloadedLists } from '../../lists/downloaded-lists.ts';
import { openListStore } from '../../lists/open-list-store.ts';
import { createDnsResolver } from '../../net/create-dns-resolver.ts';
import { DNS_SERVERS } from '../../net/name-server.ts';
import { SmtpClient } from '../../net/smtp/smtp-client.ts';
import { createLogger, LOGGER, type Logger } from '../../observability/logger.ts';
import { type Instruments, METRICS, noMetrics } from '../../observability/metrics.ts';
import type { DnsResolver, SignalProvider } from '../../provider-kit/index.ts';
import { type DiscoveredProviders, discoverProviders } from '../../signals/discover-providers.ts';
import {
  CHECK_DEADLINE_MS,
  DISABLED_PROVIDER,
  HttpClients,
  PORTS,
  ProviderStores,
  providerLog,
  SIGNAL_PROVIDER,
} from '../../signals/provider-ports.ts';
import { SignalCollector } from '../../signals/signal-collector.ts';
import { CONFIG, type Config } from '../config/config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { checkProviderOptions } from '../config/provider-options.ts';

export interface PipelineSettings extends Partial<Omit<Instruments, 'log'>> {
  readonly loaded: LoadedConfig;
  readonly log: Logger;
  /** A command asks no mail host and has no challenger. */
  readonly isService?: boolean;
  /** Replaces `rules.dir`. */
  readonly openRules?: (collector: SignalCollector) => Promise<RuleSource>;
  /** Called with what a start still waits for after some seconds; by default, the log warns. */
  readonly tellWait?: TellWait;
  /** The only provider that is asked; the others are loaded as if they were switched off. */
  readonly only?: string;
  /** Replaces the configured name servers. */
  readonly resolver?: DnsResolver;
}

/** The providers alone, for `rules lint` and `providers list`, which must work beside broken rules. Throws a StartupError. */
export async function openCollector({
  loaded,
  log,
  clock = systemClock,
  metrics = noMetrics,
  isService = false,
  resolver,
  tellWait = (what) => log.warn(what),
  only,
}: PipelineSettings) {
  const { config } = loaded;
  const providers = await discoverProviders(config.providers, tellWait);
  // A section for a provider that is switched off is no fault; its options are checked all the same.
  const providerOptions = checkProviderOptions(loaded, [...providers.enabled, ...providers.disabled]);
  const parts = { config, log, clock, metrics, isService, resolver };
  const isAsked = ({ id }: SignalProvider) => only === undefined || id === only;
  const asked = {
    enabled: providers.enabled.filter(isAsked),
    disabled: [...providers.disabled, ...providers.enabled.filter((one) => !isAsked(one))],
  };
  return { ...bindCollector(parts, asked), providerOptions };
}

/** The providers that a configuration names, for processes that make no look-up: their facts, and what they know by themselves. */
export async function openLocalCollector(config: Config): Promise<SignalCollector> {
  const log = createLogger('silent');
  const parts = { config, log, clock: systemClock, metrics: noMetrics, isService: false };
  return bindCollector(parts, await discoverProviders(config.providers)).collector;
}

/** Rooms 3 to 6, ready to assess: what the service answers from, and `postern check` too. */
export type Pipeline = Awaited<ReturnType<typeof openPipeline>>;

/** Throws a StartupError that lists the faults of providers, their options, or the rules. */
export async function openPipeline(settings: PipelineSettings) {
  const { loaded, log, clock = systemClock, metrics = noMetrics, isService } = settings;
  const opened = await openCollector(settings);
  const { container, collector, providerOptions, smtp, http, stores } = opened;
  const { lists, rules } = loaded.config;
  const { challengerDir } = rules;
  await using opening = new AsyncDisposableStack();
  const { store: listStore } = opening.use(await openListStore(loaded.config));
  const downloads = new DownloadedLists(listStore, lists.urls, log);
  const policies = await ActivePolicy.open({
    collector,
    providerOptions,
    clock,
    log,
    metrics,
    source:
      (await settings.openRules?.(collector)) ?? new RulesDirectory(rules.dir, undefined, rules.shippedDir),
    challengerSource: isService && challengerDir !== null ? new RulesDirectory(challengerDir) : null,
    downloads: () => downloads.load(),
  });
  const buckets = new RolloutBuckets();
  container.registerInstance(ACTIVE_POLICY, policies);
  container.registerInstance(RolloutBuckets, buckets);
  const kept = isService ? opening.move() : null;
  return {
    ...opened,
    policies,
    assessor: container.resolve(Assessor),
    /** To be opened with the key of addresses. */
    buckets,
    /** The lists of `lists.urls` that the providers are given. */
    downloads,
    /** Where the lists are kept; closed already in commands, which read it once. */
    listStore,
    /** To be called before the database is closed. */
    async close() {
      policies.close();
      // Closed before the stores, in which providers keep the answers of mail hosts.
      await smtp?.close();
      http.close();
      stores.close();
      await kept?.disposeAsync();
    },
  };
}

interface CollectorParts extends Instruments {
  readonly config: Config;
  readonly isService: boolean;
  readonly resolver?: DnsResolver | undefined;
}

/** Binds everything that an assessment needs, except the policy, which needs the collector to be read. */
function bindCollector(
  { config, log, clock, metrics, isService, resolver }: CollectorParts,
  providers: DiscoveredProviders,
) {
  const configured = createDnsResolver(config.dns, {
    clock,
    onServerChange: (server, isOut) => {
      metrics.count('postern_dns_server_changes_total', { state: isOut ? 'out' : 'back' });
      if (isOut) log.warn({ server }, 'a DNS server does not reply: it is left alone until it does');
      else log.info({ server }, 'a DNS server replies again');
    },
    onDoubt: () =>
      log.warn('the system\'s DNS resolver cannot find a root server: its "no such name" is not believed'),
  });
  const dns = resolver ?? configured;
  /** Null in commands, which ask no mail host. */
  const smtp = isService
    ? new SmtpClient({ dns, onAnswer: (outcome) => metrics.count('postern_smtp_probes_total', { outcome }) })
    : null;
  /** To be opened with the database, and closed before it. */
  const stores = new ProviderStores(clock);
  const { privateOrigins } = config.providers;
  const { deadlineMs } = config.check;
  const http = new HttpClients({ dns, log, metrics, privateOrigins, deadlineMs });
  const container = createContainer();
  for (const provider of providers.enabled) container.registerInstance(SIGNAL_PROVIDER, provider);
  for (const provider of providers.disabled) container.registerInstance(DISABLED_PROVIDER, provider);
  container.registerInstance(CONFIG, config);
  container.registerInstance(LOGGER, log);
  container.registerInstance(METRICS, metrics);
  container.registerInstance(CLOCK, clock);
  container.registerInstance(CHECK_DEADLINE_MS, deadlineMs);
  container.registerInstance(DNS_SERVERS, resolver ? () => [] : configured.servers);
  container.registerInstance(PORTS, {
    dns,
    smtp,
    clock,
    httpFor: (provider, options) => http.of(provider, options),
    storeFor: (provider) => stores.of(provider),
    logFor: (provider) => providerLog(log, provider, isService),
  });
  container.registerSingleton(SignalCollector);
  return { container, collector: container.resolve(SignalCollector), stores, smtp, http };
}
