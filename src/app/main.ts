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
import { createRefresher } from '../lists/list-refresher.ts';
import { Downloads } from '../lists/list-status.ts';
import { ListStore } from '../lists/list-store.ts';
import type { Logger } from '../observability/logger.ts';
import { noMetrics } from '../observability/metrics.ts';
import type { OpenMetrics } from '../observability/open-metrics.ts';
import { AddressPrivacy } from '../privacy/address-privacy.ts';
import { loadHmacKey } from '../privacy/hmac-key.ts';
import type { Clock } from '../provider-kit/index.ts';
import { openVelocityCounters } from '../shared-state/memory/open-velocity-counters.ts';
import { listsOf } from '../signals/prepare-providers.ts';
import { lockDataDirectory } from '../storage/file-lock.ts';
import type { Storage } from '../storage/ports.ts';
import { startRetention } from '../storage/retention.ts';
import { loadSecret } from '../storage/secret-file.ts';
import { openSqliteStorage } from '../storage/sqlite/sqlite-storage.ts';
import type { OpenedDashboard } from './compose/dashboard.ts';
import { openPipeline } from './compose/pipeline.ts';
import { bindService } from './compose/service.ts';
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
 * faults of configuration, providers, rules or certificates.
 */
export async function startService(
  loaded: LoadedConfig,
  log: Logger,
  clock: Clock = systemClock,
): Promise<RunningService> {
  const { storage, audit } = loaded.config;
  let opened: Storage | undefined;
  const openStorage = async () => {
    opened = await openSqliteStorage({ file: storage.url, durability: audit.durability, log });
    return opened;
  };
  try {
    return await start(loaded, { log, clock, openStorage });
  } catch (error) {
    await opened?.close();
    throw error;
  }
}

interface Surroundings {
  readonly log: Logger;
  readonly clock: Clock;
  openStorage(): Promise<Storage>;
}

async function start(
  loaded: LoadedConfig,
  { log, clock, openStorage }: Surroundings,
): Promise<RunningService> {
  const { config } = loaded;
  // Everything that can be at fault comes before anything that leaves a trace on the disk.
  const shown = await openMetrics(config.metrics);
  const metrics = shown ?? noMetrics;
  const [{ container, collector, policies, providerOptions, downloads, stores, smtp }, ownCertificate] =
    await StartupError.gather([
      openPipeline(loaded, log, clock, metrics, 'service'),
      config.http.tls.certFile === null ? null : ensureCertificate(config, clock),
    ]);
  const lock = lockDataDirectory(config.dataDir);
  const certificate = ownCertificate ?? (await ensureCertificate(config, clock));
  const hmacKey = await loadHmacKey(config.privacy.hmacKeyFile);
  const secret = await loadSecret(join(config.dataDir, 'secrets', 'session.key'), 'the key of sessions');
  const storage = await openStorage();
  stores.open(storage.providerValues);

  const judge = createJudge({ config, providerOptions, collector });
  const reloader = new RulesReloader({ policies, judge, versions: storage.ruleVersions, clock, log });
  await reloader.begin();

  const counters = await openVelocityCounters({
    directory: join(config.dataDir, 'counters'),
    hmacKey,
    clock,
    log,
  });
  const refresher = createRefresher({ config, downloads, policies, clock, log, metrics });
  const facts = [...collector.catalogue.facts.values()];
  const insights = new InsightsQueue({
    file: config.storage.url,
    providerOf: Object.fromEntries(facts.map(({ id, provider }) => [id, provider])),
    hours: storage.checkHours,
    clock,
    log,
  });
  let dashboard: OpenedDashboard | undefined;
  const loadDashboard = async () => {
    const { openDashboard } = await import('./compose/dashboard.ts');
    const rules = { config, collector, providerOptions, policies, reloader, storage, clock };
    dashboard = await openDashboard({ ...rules, container, secret, log });
    return dashboard.api;
  };
  bindService(container, {
    config,
    clock,
    storage,
    insights,
    providerOptions,
    downloads: new Downloads({ ...config.lists, store: new ListStore(config.dataDir), refresher, clock }),
    exposition: shown,
    counters: counters.counters,
    listsComplaint: config.lists.urls.length === 0 ? null : () => refresher.complaint,
    beside: config.dashboard.enabled ? [lazyDashboardApi(loadDashboard), dashboardPages()] : [],
    rulesComplaint: () => reloader.complaint && describeComplaint(reloader.complaint),
    privacy: new AddressPrivacy(config.privacy.storeAddresses, hmacKey),
    personalFacts: new Set(facts.filter(({ personal }) => personal).map(({ id }) => id)),
  });
  shown?.watch({
    ruleset: () => policies.current.ruleSet.hash,
    rulesComplained: () => reloader.complaint !== undefined,
    challenger: () => policies.current.challenger?.ruleSet.hash ?? null,
    memo: () => policies.memoCounts,
    lists: () => listsOf(policies.current.providers),
    downloads: () => refresher.ages,
    commitQueueDepth: () => storage.checks.pending,
    counts: () => counters.counters.stats,
  });
  const keys = container.resolve(KeyService);
  const retention = startRetention({
    checks: storage.checks,
    labels: storage.labels,
    people: storage.peopleStorage.people,
    days: config.retention.days,
    clock,
    log,
    metrics,
  });
  const app = container.resolve(App);
  const listeners = await startListeners({
    config: config.http,
    handler: app.koa.callback(),
    metrics:
      config.metrics.port === null ? null : { port: config.metrics.port, handler: app.metrics.callback() },
    certificate,
    onKeyInClear: (secret) => void keys.flagKeySeenInClear(secret),
    onRefused: (code) => metrics.refused(code, 'none'),
    log,
  });
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
  log.info(
    {
      ruleset: policies.current.ruleSet.hash,
      challenger: policies.current.challenger?.ruleSet.hash,
      providers: collector.providers.length,
    },
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
      await listeners.drain(config.http.drainTimeoutMs);
      await refresher.stop();
      await reloader.close();
      policies.close();
      await retention.stop();
      await smtp?.close();
      stores.close();
      // Before the store, whose last checkpoint wants to be alone with the database.
      await insights.close();
      dashboard?.close();
      await storage.close();
      await counters.close();
      lock.release();
      log.info('service stopped');
    },
  };
}

/** Nothing is counted where nobody may look; the client is not even loaded then. */
async function openMetrics({ port, token }: Config['metrics']): Promise<OpenMetrics | null> {
  if (port === null && token === null) return null;
  const { OpenMetrics } = await import('../observability/open-metrics.ts');
  return new OpenMetrics(readVersion());
}
