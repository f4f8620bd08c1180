import type { Middleware } from 'koa';
import type { Sessions } from './accounts/people/sessions.ts';
import type { Config } from './app/config/config.ts';
import type { ActivePolicy } from './checks/active-policy.ts';
import type { CheckRecorder } from './checks/check-recorder.ts';
import type { Ids } from './checks/check-service.ts';
import type { InjectionToken } from './di.ts';
import type { Readiness } from './http/ops/readiness.ts';
import type { RequestState } from './http/state.ts';
import type { InsightsQueries } from './insights/insights-queries.ts';
import type { Downloads } from './lists/list-status.ts';
import type { DnsHealth } from './net/name-server.ts';
import type { Logger } from './observability/logger.ts';
import type { Exposition, Metrics } from './observability/metrics.ts';
import type { AddressPrivacy } from './privacy/address-privacy.ts';
import type { Clock, SignalProvider } from './provider-kit/index.ts';
import type { RuleEditing } from './rule-lab/editing/rule-editing.ts';
import type { CounterBook } from './shared-state/counters/counter-book.ts';
import type { MonthlyQuota } from './shared-state/limits/monthly-quota.ts';
import type { RateLimiter } from './shared-state/limits/rate-limiter.ts';
import type { HostPorts } from './signals/host-ports.ts';
import type { LabelStore } from './storage/label-ports.ts';
import type { AuditStore, LinkStore, PeopleStore } from './storage/people-ports.ts';
import type { AccountStore, KeyStore, UsageStore } from './storage/ports.ts';

/** The wall clock. */
export const CLOCK: InjectionToken<Clock> = Symbol('Clock');
/** The process's logger. */
export const LOGGER: InjectionToken<Logger> = Symbol('Logger');
/** Told what happens; `noMetrics` where nobody may look. */
export const METRICS: InjectionToken<Metrics> = Symbol('Metrics');
/** What `/metrics` shows; null where it is closed. */
export const EXPOSITION: InjectionToken<Exposition | null> = Symbol('Exposition');
/** Makes the ids of checks. */
export const IDS: InjectionToken<Ids> = Symbol('Ids');
/** Each enabled signal provider; registered once per provider, collected by `injectAll`. */
export const SIGNAL_PROVIDER: InjectionToken<SignalProvider> = Symbol('SignalProvider');
/** Each built-in provider that is switched off: its facts stay known by name. */
export const DISABLED_PROVIDER: InjectionToken<SignalProvider> = Symbol('DisabledProvider');
/** What providers may be granted. */
export const PORTS: InjectionToken<HostPorts> = Symbol('Ports');
/** `check.deadline_ms`. */
export const CHECK_DEADLINE_MS: InjectionToken<number> = Symbol('CheckDeadlineMs');
/** The rule set in force, with the providers prepared from the same files. */
export const ACTIVE_POLICY: InjectionToken<ActivePolicy> = Symbol('ActivePolicy');
/** Accounts. */
export const ACCOUNT_STORE: InjectionToken<AccountStore> = Symbol('AccountStore');
/** Keys, read on each request. */
export const KEY_STORE: InjectionToken<KeyStore> = Symbol('KeyStore');
/** What accounts have used of their months. */
export const USAGE_STORE: InjectionToken<UsageStore> = Symbol('UsageStore');
/** How often was asked before, by account. */
export const COUNTERS: InjectionToken<CounterBook> = Symbol('Counters');
/** Makes each answered check durable before it is answered. */
export const CHECK_RECORDER: InjectionToken<CheckRecorder> = Symbol('CheckRecorder');
/** What became of signups. */
export const LABEL_STORE: InjectionToken<LabelStore> = Symbol('LabelStore');
/** What of an address is kept, and its hash. */
export const ADDRESS_PRIVACY: InjectionToken<AddressPrivacy> = Symbol('AddressPrivacy');
/** What is on record, read beside the event loop. */
export const INSIGHTS: InjectionToken<InsightsQueries> = Symbol('InsightsQueries');
/** Requests per key. */
export const KEY_RATE_LIMITER: InjectionToken<RateLimiter> = Symbol('KeyRateLimiter');
/** Checks per account and month; null where `quota.checks_per_month` is. */
export const MONTHLY_QUOTA: InjectionToken<MonthlyQuota | null> = Symbol('MonthlyQuota');
/** The effective configuration. */
export const CONFIG: InjectionToken<Config> = Symbol('Config');
/** What `/readyz` reports. */
export const READINESS: InjectionToken<Readiness> = Symbol('Readiness');
/** What is asked for what the service's own routes do not know: the dashboard. */
export const BESIDE: InjectionToken<readonly Middleware<RequestState>[]> = Symbol('Beside');
/** Who may sign in. */
export const PEOPLE_STORE: InjectionToken<PeopleStore> = Symbol('PeopleStore');
/** Links that are good once. */
export const LINK_STORE: InjectionToken<LinkStore> = Symbol('LinkStore');
/** What was done by whom. */
export const AUDIT_STORE: InjectionToken<AuditStore> = Symbol('AuditStore');
/** Who is signed in. Bound at the first request to the dashboard. */
export const SESSIONS: InjectionToken<Sessions> = Symbol('Sessions');
/** What is known of the servers that names are asked of. */
export const DNS_HEALTH: InjectionToken<DnsHealth> = Symbol('DnsHealth');
/** `providers.<id>` by id, checked and with defaults. */
export const PROVIDER_OPTIONS: InjectionToken<Readonly<Record<string, Readonly<Record<string, unknown>>>>> =
  Symbol('ProviderOptions');
/** The lists of `lists.urls`, for whoever looks after them. */
export const DOWNLOADS: InjectionToken<Downloads> = Symbol('Downloads');
/** What people do with rules. Bound at the first request to the dashboard. */
export const RULE_EDITING: InjectionToken<RuleEditing> = Symbol('RuleEditing');
