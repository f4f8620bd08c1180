import type { Middleware } from 'koa';
import { AuditTrail } from '../accounts/people/audit-trail.ts';
import type { Sessions } from '../accounts/people/sessions.ts';
import type { ActivePolicy } from '../checks/active-policy.ts';
import { CheckRecorder } from '../checks/check-recorder.ts';
import { createIds } from '../checks/check-service.ts';
import { createContainer, type DependencyContainer } from '../di.ts';
import { Readiness } from '../http/ops/readiness.ts';
import type { RequestState } from '../http/state.ts';
import type { InsightsQueries } from '../insights/insights-queries.ts';
import type { Downloads } from '../lists/list-status.ts';
import type { DnsHealth } from '../net/name-server.ts';
import type { Logger } from '../observability/logger.ts';
import type { Exposition, Metrics } from '../observability/metrics.ts';
import type { AddressPrivacy } from '../privacy/address-privacy.ts';
import type { Clock, DnsResolver, SmtpProber } from '../provider-kit/index.ts';
import type { RuleEditing } from '../rule-lab/editing/rule-editing.ts';
import type { CounterBook } from '../shared-state/counters/counter-book.ts';
import { FailedAuthThrottle } from '../shared-state/limits/failed-auth-throttle.ts';
import { InMemoryRateLimiter } from '../shared-state/limits/in-memory-rate-limiter.ts';
import { MonthlyQuota } from '../shared-state/limits/monthly-quota.ts';
import { SignInThrottle } from '../shared-state/limits/sign-in-throttle.ts';
import type { DiscoveredProviders } from '../signals/discover-providers.ts';
import type { ProviderStores } from '../signals/provider-stores.ts';
import { SignalCollector } from '../signals/signal-collector.ts';
import type { Storage } from '../storage/ports.ts';
import * as tokens from '../tokens.ts';
import type { Config } from './config/config.ts';

/** What the pipeline is made of: all that had to be awaited or read is already there. */
export interface PipelineParts {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly dns: DnsResolver;
  readonly dnsHealth: DnsHealth;
  /** Null in commands. */
  readonly smtp: SmtpProber | null;
  readonly stores: ProviderStores;
  readonly providers: DiscoveredProviders;
}

/** What the service adds to the pipeline. */
export interface ServiceParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly insights: InsightsQueries;
  readonly downloads: Downloads;
  /** By provider id: checked, with defaults. */
  readonly providerOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly privacy: AddressPrivacy;
  readonly personalFacts: ReadonlySet<string>;
  readonly exposition: Exposition | null;
  readonly counters: CounterBook;
  /** What of the downloaded lists is not as it should be; null where none are configured. */
  readonly listsComplaint: (() => string | undefined) | null;
  /** What is served beside the API of checks. */
  readonly beside: readonly Middleware<RequestState>[];
  /** Why what lies in the rules directory is not, or should not be, in force. */
  readonly rulesComplaint: () => string | undefined;
}

/** Binds what an assessment needs. The composition root: tokens are bound in this file and nowhere else. */
export function bindPipeline({
  config,
  log,
  metrics,
  clock,
  dns,
  dnsHealth,
  smtp,
  stores,
  providers,
}: PipelineParts): DependencyContainer {
  const container = createContainer();
  for (const provider of providers.enabled) container.registerInstance(tokens.SIGNAL_PROVIDER, provider);
  for (const provider of providers.disabled) container.registerInstance(tokens.DISABLED_PROVIDER, provider);
  container.registerInstance(tokens.CONFIG, config);
  container.registerInstance(tokens.LOGGER, log);
  container.registerInstance(tokens.METRICS, metrics);
  container.registerInstance(tokens.CLOCK, clock);
  container.registerInstance(tokens.CHECK_DEADLINE_MS, config.check.deadlineMs);
  container.registerInstance(tokens.DNS_HEALTH, dnsHealth);
  container.registerInstance(tokens.PORTS, {
    dns,
    smtp,
    clock,
    storeFor: (provider) => stores.of(provider),
    logFor: (provider) => log.child({ provider }),
  });
  container.registerSingleton(SignalCollector);
  return container;
}

/** The policy is made of files with the collector's help, so it comes after it. */
export function bindPolicies(container: DependencyContainer, policies: ActivePolicy): void {
  container.registerInstance(tokens.ACTIVE_POLICY, policies);
}

/** Binds what answering over HTTP needs besides. */
export function bindService(container: DependencyContainer, parts: ServiceParts): void {
  const {
    config,
    clock,
    storage,
    insights,
    downloads,
    providerOptions,
    privacy,
    personalFacts,
    exposition,
    listsComplaint,
    rulesComplaint,
    counters,
    beside,
  } = parts;
  // tsyringe takes a registered null for a mistake; what a factory answers is taken as it is.
  container.register(tokens.EXPOSITION, { useFactory: () => exposition });
  container.registerInstance(tokens.IDS, createIds(clock));
  container.registerInstance(tokens.COUNTERS, counters);
  container.registerInstance(tokens.LABEL_STORE, storage.labels);
  container.registerInstance(tokens.ADDRESS_PRIVACY, privacy);
  container.registerInstance(tokens.INSIGHTS, insights);
  container.registerInstance(tokens.DOWNLOADS, downloads);
  container.registerInstance(tokens.PROVIDER_OPTIONS, providerOptions);
  container.registerInstance(tokens.KEY_STORE, storage.keys);
  container.registerInstance(tokens.ACCOUNT_STORE, storage.accounts);
  container.registerInstance(tokens.USAGE_STORE, storage.usage);
  container.registerInstance(
    tokens.CHECK_RECORDER,
    new CheckRecorder(storage.checks, privacy, personalFacts),
  );
  const { requests, windowSeconds } = config.rateLimit;
  container.registerInstance(tokens.KEY_RATE_LIMITER, new InMemoryRateLimiter(requests, windowSeconds));
  const { checksPerMonth } = config.quota;
  const quota = checksPerMonth === null ? null : new MonthlyQuota(storage.usage, clock, checksPerMonth);
  container.register(tokens.MONTHLY_QUOTA, { useFactory: () => quota });
  container.registerSingleton(FailedAuthThrottle);
  container.registerInstance(tokens.BESIDE, beside);
  const { people, links, trail } = storage.peopleStorage;
  container.registerInstance(tokens.PEOPLE_STORE, people);
  container.registerInstance(tokens.LINK_STORE, links);
  container.registerInstance(tokens.AUDIT_STORE, trail);
  container.registerSingleton(SignInThrottle);
  container.registerSingleton(AuditTrail);
  container.registerInstance(
    tokens.READINESS,
    new Readiness([
      { name: 'storage', check: () => storage.ping() },
      { name: 'rules', check: asCheck(rulesComplaint), isExtra: true },
      ...(listsComplaint ? [{ name: 'lists', check: asCheck(listsComplaint), isExtra: true } as const] : []),
    ]),
  );
}

/** When somebody asks for the dashboard first. */
export function bindRuleEditing(container: DependencyContainer, workbench: RuleEditing): void {
  container.registerInstance(tokens.RULE_EDITING, workbench);
}

/** Binds what only the dashboard needs, at the first request to it. */
export function bindSessions(container: DependencyContainer, sessions: Sessions): void {
  container.registerInstance(tokens.SESSIONS, sessions);
}

function asCheck(complaint: () => string | undefined): () => void {
  return () => {
    const text = complaint();
    if (text !== undefined) throw new Error(text);
  };
}
