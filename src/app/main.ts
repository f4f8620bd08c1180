import { join } from 'node:path';
import type { Middleware } from 'koa';
import { createFirstKey, KeyService } from '../accounts/key-service.ts';
import { createFirstLink, LinkService } from '../accounts/link-service.ts';
import { createJudge, RulesReloader } from '../checks/rules-reloader.ts';
import { StartupError } from '../errors.ts';
import { App } from '../http/app.ts';
import { lazyDashboardApi } from '../http/dashboard/lazy-dashboard-api.ts';
import { dashboardPages } from '../http/dashboard/pages/dashboard-pages.ts';
import { READINESS } from '../http/ops/readiness.ts';
import type { RequestState } from '../http/request-state.ts';
import { type Certificate, ensureCertificate } from '../http/server/certificate.ts';
import { type Listeners, startListeners } from '../http/server/listeners.ts';
import { InsightsQueue } from '../insights/insights-queue.ts';
import { readVersion } from '../lib/paths.ts';
import { systemClock } from '../lib/system-clock.ts';
import { ListRefresher } from '../lists/list-refresher.ts';
import { ListStore } from '../lists/list-store.ts';
import { updateInProcess } from '../lists/update-in-process.ts';
import type { Logger } from '../observability/logger.ts';
import { type Metrics, noMetrics } from '../observability/metrics.ts';
import type { OpenMetrics } from '../observability/open-metrics.ts';
import type { Clock } from '../provider-kit/index.ts';
import { openVelocityCounters } from '../shared-state/memory/open-velocity-counters.ts';
import { lockDataDirectory } from '../storage/file-lock.ts';
import { startRetention } from '../storage/retention.ts';
import { fileSecretStore } from '../storage/secret-store.ts';
import { openSqliteStorage } from '../storage/sqlite/sqlite-storage.ts';
import type { DashboardParts, OpenedDashboard } from './compose/dashboard.ts';
import { openPipeline, type Pipeline } from './compose/pipeline.ts';
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
  parts.use(lockDataDirectory(config.dataDir));
  const certificate = ownCertificate ?? (await ensureCertificate(config, clock));

  const base = { config, clock, log, metrics, ...pipeline };
  const data = await openData(base, parts);
  const updates = await openUpdates({ ...base, ...data }, parts);
  const service = { ...base, ...data, ...updates, exposition };
  bindService(service, config.dashboard.enabled ? serveDashboard(service, parts) : []);
  if (exposition) watchService(exposition, service);
  const listeners = await listen(service, certificate, parts);
  // Only now: a key made before a port turned out to be taken would be stored, and never be shown.
  const firstAccess = await createFirstAccess(service);
  if (config.lists.urls.length > 0) updates.refresher.start();
  if (config.rules.watch) await updates.reloader.watch();
  if (config.audit.durability === 'async') {
    log.warn('audit.durability is async: a crash may lose checks that were answered in the last second');
  }
  const { ruleSet, challenger } = pipeline.policies.current;
  const providers = pipeline.collector.providers.length;
  log.info({ ruleset: ruleSet.hash, challenger: challenger?.ruleSet.hash, providers }, 'service started');

  return {
    httpsPort: listeners.httpsPort,
    plainPort: listeners.plainPort,
    metricsPort: listeners.metricsPort,
    caFile: certificate.caFile,
    ...firstAccess,
    async reload() {
      await Promise.all([updates.reloader.reload(), listeners.reloadCertificate()]);
    },
    async stop() {
      pipeline.container.resolve(READINESS).startDraining();
      await parts.disposeAsync();
      log.info('service stopped');
    },
  };
}

interface Base extends Pipeline {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

type Data = Awaited<ReturnType<typeof openData>>;

/** What lies in the data directory, and the pipeline's part of it. */
async function openData(base: Base, parts: AsyncDisposableStack) {
  const { config, clock, log, collector, stores } = base;
  const secrets = fileSecretStore(config);
  const hmacKey = await secrets.hmacKey();
  const secret = await secrets.sessionKey();
  const directory = join(config.dataDir, 'counters');
  const { counters } = parts.adopt(await openVelocityCounters({ directory, hmacKey, clock, log }), close);
  const { durability } = config.audit;
  const storage = parts.adopt(await openSqliteStorage({ file: config.storage.url, durability, log }), close);
  stores.open(storage.providerValues);
  parts.adopt(base, close);
  const facts = [...collector.catalogue.facts.values()];
  const providerOf = Object.fromEntries(facts.map(({ id, provider }) => [id, provider]));
  const { checkHours: hours } = storage;
  // It reads the same database: the storage's last checkpoint wants to be alone with it.
  const insights = parts.adopt(
    new InsightsQueue({ file: config.storage.url, providerOf, hours, log }),
    close,
  );
  return { hmacKey, secret, counters, storage, insights };
}

/** What changes while the service runs: rules, downloaded lists, and records whose days are over. */
async function openUpdates(base: Base & Data, parts: AsyncDisposableStack) {
  const { policies, storage, config } = base;
  const versions = storage.ruleVersions;
  const reloader = parts.adopt(
    new RulesReloader({ ...base, policies, judge: createJudge(base), versions }),
    close,
  );
  await reloader.begin();
  const { checks, labels, jobLock, peopleStorage } = storage;
  const refresher = parts.adopt(
    new ListRefresher({
      ...base,
      config: config.lists,
      store: new ListStore(config.dataDir),
      update: (url, accepted, signal) =>
        updateInProcess({ url, allowed: policies.current.ruleSet.lists.allow, accepted }, config, signal),
      jobLock,
      takeNews: () => policies.reloadDownloads(),
    }),
    (opened) => opened.stop(),
  );
  parts.adopt(
    startRetention({
      ...base,
      ...{ checks, labels, jobLock, people: peopleStorage.people },
      days: config.retention.days,
    }),
    (retention) => retention.stop(),
  );
  return { reloader, refresher };
}

async function listen(
  { config, container, metrics, log }: Base,
  certificate: Certificate,
  parts: AsyncDisposableStack,
): Promise<Listeners> {
  const app = container.resolve(App);
  const keys = container.resolve(KeyService);
  const { port } = config.metrics;
  return parts.adopt(
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
}

/** At the first start alone. */
async function createFirstAccess({ config, container, storage }: Base & Data) {
  const { people, links } = storage.peopleStorage;
  return {
    firstKey: await createFirstKey(container.resolve(KeyService)),
    setupPath: config.dashboard.enabled
      ? await createFirstLink(people, links, container.resolve(LinkService))
      : null,
  };
}

function close(part: { close(): void | Promise<void> }): void | Promise<void> {
  return part.close();
}

/** Null, and prom-client not loaded, where `/metrics` is closed. */
async function openMetrics({ port, token }: Config['metrics']): Promise<OpenMetrics | null> {
  if (port === null && token === null) return null;
  const { OpenMetrics } = await import('../observability/open-metrics.ts');
  return new OpenMetrics(readVersion());
}

/** The pages, and the API, which is loaded at the first request to it. */
function serveDashboard(service: DashboardParts, parts: AsyncDisposableStack): Middleware<RequestState>[] {
  let opened: OpenedDashboard | undefined;
  parts.defer(() => opened?.close());
  const load = async () => {
    const { openDashboard } = await import('./compose/dashboard.ts');
    opened = await openDashboard(service);
    return opened.api;
  };
  return [lazyDashboardApi(load), dashboardPages()];
}
