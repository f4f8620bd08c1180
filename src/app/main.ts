import { join } from 'node:path';
import { createFirstKey, KeyService } from '../accounts/key-service.ts';
import { createFirstLink, LinkService } from '../accounts/link-service.ts';
import { createJudge, describeComplaint, RulesReloader } from '../checks/rules-reloader.ts';
import { StartupError } from '../errors.ts';
import { App } from '../http/app.ts';
import { lazyDashboardApi } from '../http/dashboard/lazy-dashboard-api.ts';
import { dashboardPages } from '../http/dashboard/pages/dashboard-pages.ts';
import { READINESS } from '../http/ops/readiness.ts';
import { ensureCertificate } from '../http/server/certificate.ts';
import { startListeners } from '../http/server/listeners.ts';
import { InsightsQueue } from '../insights/insights-queue.ts';
import { readVersion } from '../lib/paths.ts';
import { systemClock } from '../lib/system-clock.ts';
import { ListRefresher } from '../lists/list-refresher.ts';
import { ListStore } from '../lists/list-store.ts';
import { updateInProcess } from '../lists/update-in-process.ts';
import type { Logger } from '../observability/logger.ts';
import { noMetrics } from '../observability/metrics.ts';
import type { OpenMetrics } from '../observability/open-metrics.ts';
import { AddressPrivacy } from '../privacy/address-privacy.ts';
import type { Clock } from '../provider-kit/index.ts';
import { openVelocityCounters } from '../shared-state/memory/open-velocity-counters.ts';
import type { SignalCollector } from '../signals/signal-collector.ts';
import { lockDataDirectory } from '../storage/file-lock.ts';
import type { Storage } from '../storage/ports.ts';
import { startRetention } from '../storage/retention.ts';
import { FileSecretStore } from '../storage/secret-store.ts';
import { openSqliteStorage } from '../storage/sqlite/sqlite-storage.ts';
import type { OpenedDashboard } from './compose/dashboard.ts';
import { openPipeline } from './compose/pipeline.ts';
import { bindService } from './compose/service.ts';
import { watchService } from './compose/watch-service.ts';
import type { Config } from './config/config.ts';
import type { LoadedConfig } from './config/load-config.ts';

export interface RunningService {
  readonly httpsPort: number;
  readonly plainPort: number | null;
  /** Null where `metrics.port` is. */
  readonly metricsPort: number | null;
  /** The certificate authority to trust; null with certificates of one's own. */
  readonly caFile: string | null;
  /** The secret of the key that the first start makes, to be shown once; null at every later start. */
  readonly firstKey: string | null;
  /** The path of the link by which the first owner signs in, shown once like the key; null at every later start. */
  readonly setupPath: string | null;
  /** Certificates, rules and lists; never the configuration. What fails is logged and stays as it was. */
  reload(): Promise<void>;
  /** Stops listening, finishes what is under way, makes it durable. */
  stop(): Promise<void>;
}

/**
 * Starts the service; nothing listens before everything stands. Throws a StartupError that lists the
 * faults of configuration, providers, rules or certificates; what was opened by then is closed.
 */
export async function startService(
  loaded: LoadedConfig,
  log: Logger,
  clock: Clock = systemClock,
): Promise<RunningService> {
  // Each part is closed by what is registered where it is opened, the last one first.
  const parts = new AsyncDisposableStack();
  try {
    return await start(loaded, log, clock, parts);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function start(
  loaded: LoadedConfig,
  log: Logger,
  clock: Clock,
  parts: AsyncDisposableStack,
): Promise<RunningService> {
  const { config } = loaded;
  const exposition = await openMetrics(config.metrics);
  const metrics = exposition ?? noMetrics;
  // Everything that can be at fault comes before anything that leaves a trace on the disk.
  const [pipeline, ownCertificate] = await StartupError.gather([
    openPipeline(loaded, log, clock, metrics, 'service'),
    config.http.tls.certFile === null ? null : ensureCertificate(config, clock),
  ]);
  const { container, collector, policies, providerOptions } = pipeline;

  parts.adopt(lockDataDirectory(config.dataDir), (lock) => lock.release());
  const certificate = ownCertificate ?? (await ensureCertificate(config, clock));
  const secrets = new FileSecretStore(config);
  const hmacKey = await secrets.hmacKey();
  const secret = await secrets.sessionKey();
  const directory = join(config.dataDir, 'counters');
  const { counters } = parts.adopt(await openVelocityCounters({ directory, hmacKey, clock, log }), (opened) =>
    opened.close(),
  );
  const storage = parts.adopt(
    await openSqliteStorage({ file: config.storage.url, durability: config.audit.durability, log }),
    (opened) => opened.close(),
  );
  pipeline.stores.open(storage.providerValues);
  parts.defer(() => pipeline.close());
  // It reads the same database: the storage's last checkpoint wants to be alone with it.
  const insights = parts.adopt(openInsights(config, storage, collector, log), (opened) => opened.close());
  const judge = createJudge({ config, providerOptions, collector });
  const reloader = parts.adopt(
    new RulesReloader({ policies, judge, versions: storage.ruleVersions, clock, log }),
    (opened) => opened.close(),
  );
  await reloader.begin();
  const refresher = parts.adopt(
    new ListRefresher({
      config: config.lists,
      store: new ListStore(config.dataDir),
      update: (url, accepted, signal) =>
        updateInProcess({ url, allowed: policies.current.ruleSet.lists.allow, accepted }, config, signal),
      jobLock: storage.jobLock,
      downloads: pipeline.downloads,
      takeNews: () => policies.reloadDownloads(),
      ...{ clock, log, metrics },
    }),
    (opened) => opened.stop(),
  );
  let dashboard: OpenedDashboard | undefined;
  parts.defer(() => dashboard?.close());
  const loadDashboard = async () => {
    const { openDashboard } = await import('./compose/dashboard.ts');
    const editing = { config, collector, providerOptions, policies, reloader, storage, clock };
    dashboard = await openDashboard({ ...editing, container, secret, log });
    return dashboard.api;
  };
  const facts = [...collector.catalogue.facts.values()];
  bindService(container, {
    config,
    clock,
    storage,
    insights,
    providerOptions,
    refresher,
    exposition,
    counters,
    listsComplaint: config.lists.urls.length === 0 ? null : () => refresher.complaint,
    beside: config.dashboard.enabled ? [lazyDashboardApi(loadDashboard), dashboardPages()] : [],
    rulesComplaint: () => reloader.complaint && describeComplaint(reloader.complaint),
    privacy: new AddressPrivacy(config.privacy.storeAddresses, hmacKey),
    personalFacts: new Set(facts.filter(({ personal }) => personal).map(({ id }) => id)),
  });
  if (exposition) watchService(exposition, { policies, reloader, refresher, storage, counters });
  parts.adopt(
    startRetention({
      checks: storage.checks,
      labels: storage.labels,
      people: storage.peopleStorage.people,
      jobLock: storage.jobLock,
      days: config.retention.days,
      clock,
      log,
      metrics,
    }),
    (retention) => retention.stop(),
  );
  const app = container.resolve(App);
  const keys = container.resolve(KeyService);
  const { port } = config.metrics;
  const listeners = parts.adopt(
    await startListeners({
      config: config.http,
      handler: app.koa.callback(),
      metrics: port === null ? null : { port, handler: app.metrics.callback() },
      certificate,
      onKeyInClear: (key) => void keys.flagKeySeenInClear(key),
      onRefused: (code) => metrics.count('postern_refusals_total', { code, environment: 'none' }),
      log,
    }),
    (opened) => opened.drain(config.http.drainTimeoutMs),
  );
  // Only now: a key made before a port turned out to be taken would be stored, and never be shown.
  const firstKey = await createFirstKey(keys);
  const { people, links } = storage.peopleStorage;
  const setupPath = config.dashboard.enabled
    ? await createFirstLink(people, links, container.resolve(LinkService))
    : null;
  if (config.lists.urls.length > 0) refresher.start();
  if (config.rules.watch) await reloader.watch();
  if (config.audit.durability === 'async') {
    log.warn('audit.durability is async: a crash may lose checks that were answered in the last second');
  }
  const { ruleSet, challenger } = policies.current;
  log.info(
    { ruleset: ruleSet.hash, challenger: challenger?.ruleSet.hash, providers: collector.providers.length },
    'service started',
  );

  return {
    httpsPort: listeners.httpsPort,
    plainPort: listeners.plainPort,
    metricsPort: listeners.metricsPort,
    caFile: certificate.caFile,
    firstKey,
    setupPath,
    async reload() {
      await Promise.all([reloader.reload(), listeners.reloadCertificate()]);
    },
    async stop() {
      container.resolve(READINESS).startDraining();
      await parts.disposeAsync();
      log.info('service stopped');
    },
  };
}

/** Null, and prom-client not loaded, where `/metrics` is closed. */
async function openMetrics({ port, token }: Config['metrics']): Promise<OpenMetrics | null> {
  if (port === null && token === null) return null;
  const { OpenMetrics } = await import('../observability/open-metrics.ts');
  return new OpenMetrics(readVersion());
}

function openInsights(
  config: Config,
  storage: Storage,
  collector: SignalCollector,
  log: Logger,
): InsightsQueue {
  const facts = [...collector.catalogue.facts.values()];
  return new InsightsQueue({
    file: config.storage.url,
    providerOf: Object.fromEntries(facts.map(({ id, provider }) => [id, provider])),
    hours: storage.checkHours,
    log,
  });
}
