import { setTimeout } from 'node:timers/promises';
import type { Middleware } from 'koa';
import { createFirstKey, KeyService } from '../accounts/key-service.ts';
import { createFirstLink, LinkService } from '../accounts/link-service.ts';
import { AppError, StartupError } from '../errors.ts';
import { App } from '../http/app.ts';
import { dashboardPages, lazyDashboardApi } from '../http/dashboard/dashboard-pages.ts';
import { READINESS } from '../http/ops/readiness.ts';
import type { RequestState } from '../http/request-state.ts';
import { type Certificate, ensureCertificate } from '../http/server/certificate.ts';
import { type Listeners, startListeners } from '../http/server/listeners.ts';
import { loggedClient } from '../http/server/proxies.ts';
import { readVersion } from '../lib/paths.ts';
import { isPostgresUrl } from '../lib/service-url.ts';
import { systemClock } from '../lib/time.ts';
import type { Logger } from '../observability/logger.ts';
import { noMetrics } from '../observability/metrics.ts';
import type { OpenMetrics } from '../observability/open-metrics.ts';
import { noTracing, type Tracing } from '../observability/tracing.ts';
import type { Clock } from '../provider-kit/index.ts';
import { tellOfCode } from '../signals/plugin-modules.ts';
import { lockData } from '../storage/file-lock.ts';
import { isOpenToAll } from '../storage/private-files.ts';
import type { openDashboard } from './compose/dashboard.ts';
import { openPipeline } from './compose/pipeline.ts';
import { bindService, type ServiceParts } from './compose/service.ts';
import { openData, openSharedStorage, openUpdates, sharedRules } from './compose/service-data.ts';
import { bindAttention, watchService } from './compose/watch-service.ts';
import type { Config } from './config/config.ts';
import type { LoadedConfig } from './config/load-config.ts';

export type RunningService = Awaited<ReturnType<typeof startService>>;

/**
 * Starts the service; nothing listens before everything stands. Throws a StartupError that lists the
 * faults of configuration, providers, rules or certificates; what was opened by then is closed.
 */
export async function startService(loaded: LoadedConfig, log: Logger, clock: Clock = systemClock) {
  // Each part registers its closing where it is opened; parts are closed in reverse order.
  const parts = new AsyncDisposableStack();
  try {
    return await start(loaded, log, clock, parts);
  } catch (error) {
    await parts.disposeAsync();
    const { url } = loaded.config.storage;
    if (!(error instanceof AppError) || !isPostgresUrl(url)) throw error;
    // The database went away since the first connection, or refuses a second one.
    const { cannotStart } = await import('../storage/postgres/postgres-storage.ts');
    throw cannotStart(error, url);
  }
}

async function start(loaded: LoadedConfig, log: Logger, clock: Clock, parts: AsyncDisposableStack) {
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
  // Closed after all parts that are opened below, so that work under way is traced to its end.
  parts.defer(() => tracing.close());
  if (!shared) parts.use(lockData({ dataDir: config.dataDir, database: config.storage.url }));
  const certificate = ownCertificate ?? (await ensureCertificate(config, clock));

  const base = { config, clock, log, metrics, ...pipeline };
  const data = await openData(base, shared, parts);
  const updates = await openUpdates({ ...base, ...data }, parts);
  const service = { ...base, ...data, ...updates, exposition, tracing };
  bindService(service, config.dashboard.enabled ? serveDashboard(service, parts) : []);
  const listeners = await listen(service, certificate, parts);
  if (config.lists.urls.length > 0) await updates.refresher.start();
  const attention = bindAttention({ ...service, listeners });
  if (exposition) {
    watchService(exposition, { ...service, listeners });
    parts.defer(attention.watch());
  }
  // Only now: if a port was taken, a key made earlier would be stored and never shown.
  const firstAccess = await createFirstAccess(service);
  if (config.rules.watch || config.rules.source === 'database') await updates.reloader.watch();
  if (config.audit.durability === 'async')
    log.warn('audit.durability is async: a crash may lose checks that were answered in the last second');
  if (isOpenToAll(config.dataDir)) {
    const message =
      'every user of this machine can write into the data directory, whose local.yaml says which code runs here: chmod 700 it';
    log.warn({ dir: config.dataDir }, message);
  }
  const { ruleSet, challenger } = pipeline.policies.current;
  const { collector } = pipeline;
  const told = { challenger: challenger?.ruleSet.hash, providers: collector.providers.length };
  log.info({ ruleset: ruleSet.hash, ...told }, 'service started');

  return {
    httpsPort: listeners.httpsPort,
    plainPort: listeners.plainPort,
    metricsPort: listeners.metricsPort,
    /** The certificate authority to trust; null with certificates of the operator's own. */
    caFile: certificate.caFile,
    ...firstAccess,
    /** Reloads certificates, rules and lists; never the configuration. A part that fails is logged and stays as it was. */
    async reload(): Promise<void> {
      await Promise.all([updates.reloader.reload(), listeners.reloadCertificate()]);
      tellOfCode(log);
    },
    /** Counts a fault of a plugin whose own timer, listener or promise failed. */
    countLeftBehind: (provider: string) => collector.faults.count(provider, 'left_behind'),
    /** Stops listening, finishes what is under way, makes it durable. */
    async stop(): Promise<void> {
      pipeline.container.resolve(READINESS).startDraining();
      // A load balancer that asks /readyz sends nothing more by then.
      await setTimeout(config.http.drainDelayMs);
      await parts.disposeAsync();
      log.info('service stopped');
    },
  };
}

async function listen(
  { config, container, metrics, log }: ServiceParts,
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

/** Makes the first key and link, at the first start alone; where several instances start at once, one of them does. */
async function createFirstAccess({ config, container, storage }: ServiceParts) {
  const { people, links } = storage.peopleStorage;
  return await storage.jobLock.runExclusive('first_start', async () => ({
    /** The secret of the key that the first start makes, to be shown once; null at every later start. */
    firstKey: await createFirstKey(container.resolve(KeyService)),
    /** The path of the link by which the first owner signs in, shown once like the key; null at every later start. */
    setupPath: config.dashboard.enabled
      ? await createFirstLink(people, links, container.resolve(LinkService))
      : null,
  }));
}

/** Null, and prom-client not loaded, where `/metrics` is closed. */
async function openMetrics({ port, token }: Config['metrics']): Promise<OpenMetrics | null> {
  if (port === null && token === null) return null;
  const { OpenMetrics } = await import('../observability/open-metrics.ts');
  return new OpenMetrics(readVersion());
}

/**
 * Configured by OpenTelemetry's standard variables, which its packages read themselves; without an endpoint no package is loaded.
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
function serveDashboard(service: ServiceParts, parts: AsyncDisposableStack): Middleware<RequestState>[] {
  let opened: Awaited<ReturnType<typeof openDashboard>> | undefined;
  parts.defer(() => opened?.close());
  const load = async () => {
    const dashboard = await import('./compose/dashboard.ts');
    opened = await dashboard.openDashboard(service);
    return opened.api;
  };
  return [lazyDashboardApi(load), dashboardPages()];
}
