import { setTimeout } from 'node:timers/promises';
import type { Middleware } from 'koa';
import { createFirstKey, KeyService } from '../accounts/key-service.ts';
import { createFirstLink, LinkService } from '../accounts/link-service.ts';
import { openJudge } from '../checks/rule-judge.ts';
import { readRules } from '../checks/rule-source.ts';
import { publishedVersions } from '../checks/rules-database.ts';
import { RulesReloader } from '../checks/rules-reloader.ts';
import { AppError, StartupError } from '../errors.ts';
import { App } from '../http/app.ts';
import { lazyDashboardApi } from '../http/dashboard/lazy-dashboard-api.ts';
import { dashboardPages } from '../http/dashboard/pages/dashboard-pages.ts';
import { READINESS } from '../http/ops/readiness.ts';
import type { RequestState } from '../http/request-state.ts';
import { type Certificate, ensureCertificate } from '../http/server/certificate.ts';
import { type Listeners, startListeners } from '../http/server/listeners.ts';
import { loggedClient } from '../http/server/proxies.ts';
import { InsightsQueue } from '../insights/insights-queue.ts';
import { readVersion } from '../lib/paths.ts';
import { isPostgresUrl } from '../lib/service-url.ts';
import { systemClock } from '../lib/time.ts';
import { ListRefresher } from '../lists/list-refresher.ts';
import { previewInProcess, updateInProcess } from '../lists/update-in-process.ts';
import type { Logger } from '../observability/logger.ts';
import { type Instruments, noMetrics } from '../observability/metrics.ts';
import type { OpenMetrics } from '../observability/open-metrics.ts';
import { noTracing, type Tracing } from '../observability/tracing.ts';
import type { Clock } from '../provider-kit/index.ts';
import { fillRules, placeInDatabase, tellOfUpgrade } from '../rule-lab/versions/shipped-rules.ts';
import { tellOfCode } from '../signals/loaded-code.ts';
import { readingUrl } from '../storage/open-storage.ts';
import { startRetention } from '../storage/retention.ts';
import { openSecrets } from '../storage/secret-store.ts';
import type { DashboardParts, openDashboard } from './compose/dashboard.ts';
import { openPipeline, type Pipeline } from './compose/pipeline.ts';
import { bindService } from './compose/service.ts';
import { openServiceState } from './compose/service-state.ts';
import {
  lockFiles,
  openOwnStorage,
  openSharedStorage,
  type ServiceStorage,
  sharedRules,
} from './compose/service-storage.ts';
import { bindAttention } from './compose/watch-attention.ts';
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
  /** Of a plugin, whose own timer, listener or promise failed. */
  countLeftBehind(provider: string): void;
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
    const { url } = loaded.config.storage;
    if (!(error instanceof AppError) || !isPostgresUrl(url)) throw error;
    // It was there a moment ago, or lets us connect once and not twice.
    const { cannotStart } = await import('../storage/postgres/postgres-storage.ts');
    throw cannotStart(error, url);
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
  const shared = await openSharedStorage({ config, log, metrics }, parts);
  // Everything that can be at fault comes before anything that leaves a trace on the disk.
  const [pipeline, ownCertificate, tracing] = await StartupError.gather([
    openPipeline({
      loaded,
      log,
      clock,
      metrics,
      isService: true,
      ...sharedRules({ config, clock, log }, shared),
    }),
    config.http.tls.certFile === null ? null : ensureCertificate(config, clock),
    openTracing(log),
  ]);
  // The last to close: what is under way is traced to its end.
  parts.adopt(tracing, close);
  if (!shared) parts.use(lockFiles(config));
  const certificate = ownCertificate ?? (await ensureCertificate(config, clock));

  const base = { config, clock, log, metrics, ...pipeline };
  const data = await openData(base, shared, parts);
  const updates = await openUpdates({ ...base, ...data }, parts);
  const service = { ...base, ...data, ...updates, exposition, tracing };
  bindService(service, config.dashboard.enabled ? serveDashboard(service, parts) : []);
  const listeners = await listen(service, certificate, parts);
  const attention = bindAttention({ ...service, listeners });
  if (exposition) {
    watchService(exposition, { ...service, listeners });
    parts.defer(attention.watch());
  }
  // Only now: a key made before a port turned out to be taken would be stored and never shown.
  const firstAccess = await createFirstAccess(service);
  if (config.lists.urls.length > 0) updates.refresher.start();
  if (config.rules.watch || config.rules.source === 'database') await updates.reloader.watch();
  if (config.audit.durability === 'async')
    log.warn('audit.durability is async: a crash may lose checks that were answered in the last second');
  const { ruleSet, challenger } = pipeline.policies.current;
  const { collector } = pipeline;
  const told = { challenger: challenger?.ruleSet.hash, providers: collector.providers.length };
  log.info({ ruleset: ruleSet.hash, ...told }, 'service started');

  return {
    httpsPort: listeners.httpsPort,
    plainPort: listeners.plainPort,
    metricsPort: listeners.metricsPort,
    caFile: certificate.caFile,
    ...firstAccess,
    async reload() {
      await Promise.all([updates.reloader.reload(), listeners.reloadCertificate()]);
      tellOfCode(collector.providers, log);
    },
    countLeftBehind: (provider) => collector.faults.count(provider, 'left_behind'),
    async stop() {
      pipeline.container.resolve(READINESS).startDraining();
      // A load balancer that asks /readyz sends nothing more by then.
      await setTimeout(config.http.drainDelayMs);
      await parts.disposeAsync();
      log.info('service stopped');
    },
  };
}

interface Base extends Pipeline, Instruments {
  readonly config: Config;
}

type Data = Awaited<ReturnType<typeof openData>>;

/** What is kept, in the data directory or a database that instances share, and the pipeline's part of it. */
async function openData(base: Base, shared: ServiceStorage | null, parts: AsyncDisposableStack) {
  const { config, clock, log, collector, stores } = base;
  const { storage, feed } = shared ?? (await openOwnStorage(base, parts));
  const files = { ...config.privacy, ...config.dashboard };
  const { hmacKey, sessionKey } = await openSecrets(files, storage, shared !== null);
  base.buckets.open(hmacKey);
  const state = parts.adopt(await openServiceState({ ...base, hmacKey }), close);
  stores.open(storage.providerValues);
  parts.adopt(base, close);
  const facts = [...collector.catalogue.facts.values()];
  const providerOf = Object.fromEntries(facts.map(({ id, provider }) => [id, provider]));
  const { checkHours: hours, jobLock } = storage;
  // It reads the same database: the storage's last checkpoint wants to be alone with it.
  const insights = parts.adopt(
    new InsightsQueue({ url: readingUrl(config.storage), providerOf, hours, jobLock, log }),
    close,
  );
  // Without a dashboard nothing asks for what is counted.
  if (config.dashboard.enabled) insights.begin(clock);
  const { ruleVersions: versions } = storage;
  const ruleVersions = config.rules.source === 'database' ? publishedVersions(versions) : versions;
  return { hmacKey, sessionKey, state, storage, feed, ruleVersions, insights };
}

/** What changes while the service runs: rules, downloaded lists, and records whose days are over. */
async function openUpdates(base: Base & Data, parts: AsyncDisposableStack) {
  const { policies, storage, ruleVersions: versions, config } = base;
  const isDirectory = config.rules.source === 'directory';
  if (isDirectory && (await fillRules(config.rules, { ...base, versions }))) {
    const faults = await policies.take(() => readRules(policies.source, base), 'change');
    if (faults.length > 0) throw new StartupError(faults);
  }
  const reloader = parts.adopt(
    new RulesReloader({ ...base, policies, judge: openJudge(base), versions }),
    close,
  );
  await reloader.begin();
  const place = isDirectory ? undefined : placeInDatabase(policies.source, storage.state);
  await tellOfUpgrade(config.rules, base.log, place);
  const { checks, labels, jobLock, state, peopleStorage } = storage;
  const order = (url: string) => ({ url, allowed: policies.current.ruleSet.lists.allow });
  const refresher = parts.adopt(
    new ListRefresher({
      ...base,
      config: config.lists,
      store: base.listStore,
      update: (url, looked, signal) => updateInProcess({ ...order(url), ...looked }, config, signal),
      preview: (url, accepted, signal) => previewInProcess({ ...order(url), accepted }, config, signal),
      jobLock,
      takeNews: () => policies.reloadDownloads(),
    }),
    (opened) => opened.stop(),
  );
  const retention = parts.adopt(
    startRetention({
      ...base,
      ...{ checks, labels, jobLock, state, people: peopleStorage.people },
      days: config.retention.days,
    }),
    (started) => started.stop(),
  );
  return { reloader, refresher, retention };
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
      clientOf: loggedClient(config),
      onRefused: (code) => metrics.count('postern_refusals_total', { code, environment: 'none' }),
      log,
    }),
    (opened) => opened.drain(config.http.drainTimeoutMs),
  );
}

/** At the first start alone; of instances that make it at once, by one of them. */
async function createFirstAccess({ config, container, storage }: Base & Data) {
  const { people, links } = storage.peopleStorage;
  return await storage.jobLock.runExclusive('first_start', async () => ({
    firstKey: await createFirstKey(container.resolve(KeyService)),
    setupPath: config.dashboard.enabled
      ? await createFirstLink(people, links, container.resolve(LinkService))
      : null,
  }));
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

/**
 * By the standard variables of OpenTelemetry, which its packages read for themselves; without an endpoint none of them is loaded.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
async function openTracing(log: Logger): Promise<Tracing> {
  const { env } = process;
  const name = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].find((set) => env[set]);
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  if (name === undefined || isOff) return noTracing;
  if (!/^https?:$/.test(URL.parse(env[name] ?? '')?.protocol ?? ''))
    throw new StartupError([`${name}: is no URL of a collector, such as http://127.0.0.1:4318`]);
  const { OpenTelemetry } = await import('../observability/open-telemetry.ts');
  return new OpenTelemetry(log, readVersion());
}

/** The pages, and the API, which is loaded at the first request to it. */
function serveDashboard(service: DashboardParts, parts: AsyncDisposableStack): Middleware<RequestState>[] {
  let opened: Awaited<ReturnType<typeof openDashboard>> | undefined;
  parts.defer(() => opened?.close());
  const load = async () => {
    const dashboard = await import('./compose/dashboard.ts');
    opened = await dashboard.openDashboard(service);
    return opened.api;
  };
  return [lazyDashboardApi(load), dashboardPages()];
}
