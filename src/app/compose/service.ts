import type { Middleware } from 'koa';
import { AuditTrail } from '../../accounts/audit-trail.ts';
import { CHECK_RECORDER, CheckRecorder } from '../../checks/check-record.ts';
import { CHECK_IDS, createCheckIds } from '../../checks/check-service.ts';
import { READINESS, Readiness } from '../../http/ops/readiness.ts';
import { BESIDE, type RequestState } from '../../http/request-state.ts';
import { INSIGHTS } from '../../insights/insights-queries.ts';
import { LIST_REFRESHER } from '../../lists/list-refresher.ts';
import { EXPOSITION, type Exposition } from '../../observability/metrics.ts';
import { TRACING, type Tracing } from '../../observability/tracing.ts';
import { ADDRESS_PRIVACY, AddressPrivacy } from '../../privacy/address-privacy.ts';
import { MonthlyQuota } from '../../shared-state/memory/monthly-quota.ts';
import {
  ATTEMPT_THROTTLE,
  KEY_RATE_LIMITER,
  MONTHLY_QUOTA,
  VELOCITY_COUNTERS,
} from '../../shared-state/ports.ts';
import { PROVIDER_OPTIONS } from '../../signals/provider-ports.ts';
import { LABEL_STORE } from '../../storage/label-ports.ts';
import { AUDIT_STORE, LINK_STORE, PEOPLE_STORE } from '../../storage/people-ports.ts';
import { ACCOUNT_STORE, KEY_STORE, USAGE_STORE } from '../../storage/ports.ts';
import type { Base, Data, Updates } from './service-data.ts';

/** All parts of a service except its listeners. */
export interface ServiceParts extends Base, Data, Updates {
  readonly exposition: Exposition | null;
  readonly tracing: Tracing;
}

/** Binds what answering over HTTP needs beside the pipeline. `beside` is served beside the API of checks. */
export function bindService(parts: ServiceParts, beside: readonly Middleware<RequestState>[]): void {
  const { container, config, clock, storage, state, exposition, reloader, refresher, retention } = parts;
  const { people, links, trail } = storage.peopleStorage;
  const { checksPerMonth } = config.quota;
  const quota =
    checksPerMonth === null
      ? null
      : new MonthlyQuota(storage.usage, clock, checksPerMonth, state.isQuotaShared);
  const readiness = new Readiness([
    { name: 'storage', check: () => storage.ping() },
    extra('rules', () => reloader.complaintText),
    ...(config.sharedState.url === null ? [] : [extra('shared_state', () => apart(state.unsharedBecause()))]),
    ...(parts.feed
      ? [extra('changes', () => (parts.feed?.isListening === false ? UNHEARD : undefined))]
      : []),
    extra('retention', () => retention.waits),
    ...(config.lists.urls.length > 0
      ? [extra('lists', () => refresher.complaints.join('; ') || undefined)]
      : []),
  ]);
  const privacy = new AddressPrivacy(config.privacy.storeAddresses, parts.hmacKey);
  container.registerInstance(READINESS, readiness);
  // tsyringe refuses to register null, but takes whatever a factory returns.
  container.register(EXPOSITION, { useFactory: () => exposition });
  container.registerInstance(TRACING, parts.tracing);
  container.register(MONTHLY_QUOTA, { useFactory: () => quota });
  container.registerInstance(CHECK_IDS, createCheckIds(clock));
  container.registerInstance(VELOCITY_COUNTERS, state.counters);
  container.registerInstance(ADDRESS_PRIVACY, privacy);
  container.registerInstance(
    CHECK_RECORDER,
    new CheckRecorder(storage.checks, privacy, parts.collector.catalogue),
  );
  container.registerInstance(INSIGHTS, parts.insights);
  container.registerInstance(LIST_REFRESHER, refresher);
  container.registerInstance(PROVIDER_OPTIONS, parts.providerOptions);
  container.registerInstance(LABEL_STORE, storage.labels);
  container.registerInstance(KEY_STORE, storage.keys);
  container.registerInstance(ACCOUNT_STORE, storage.accounts);
  container.registerInstance(USAGE_STORE, storage.usage);
  container.registerInstance(PEOPLE_STORE, people);
  container.registerInstance(LINK_STORE, links);
  container.registerInstance(AUDIT_STORE, trail);
  container.registerInstance(KEY_RATE_LIMITER, state.rateLimiter);
  container.registerInstance(BESIDE, beside);
  container.registerInstance(ATTEMPT_THROTTLE, state.attemptThrottle);
  container.registerSingleton(AuditTrail);
}

function apart(reason: string | undefined): string | undefined {
  return (
    reason && `Valkey cannot be used (${reason}): this instance limits by itself, and velocity is unknown`
  );
}

const UNHEARD = 'what other instances change is not announced: this one looks every second';

/** A part that checks can do without. It is unwell while it has a complaint, which is the reason. */
function extra(name: string, complaint: () => string | undefined) {
  const check = () => {
    const text = complaint();
    if (text !== undefined) throw new Error(text);
  };
  return { name, check, isExtra: true } as const;
}
