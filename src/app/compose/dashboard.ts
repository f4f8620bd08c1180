import { BetterAuthSessions } from '../../accounts/better-auth-sessions.ts';
import { SESSIONS } from '../../accounts/person.ts';
import { challengingRules, rulesInForce } from '../../checks/active-policy.ts';
import { AREAS, dashboardApi } from '../../http/dashboard/dashboard-api.ts';
import { DownloadedLists } from '../../lists/downloaded-lists.ts';
import { hashAddress } from '../../privacy/address-privacy.ts';
import { RULE_EDITING, RuleEditing } from '../../rule-lab/editing/rule-editing.ts';
import { queueRuleJobs } from '../../rule-lab/editing/rule-jobs.ts';
import { openRecordedChecks, readingUrl } from '../../storage/open-storage.ts';
import type { ServiceParts } from './service.ts';

const HOUR_SECONDS = 3_600;

/**
 * Binds what only the dashboard needs and mounts its API. This module is imported at the first request to the dashboard:
 * the library of sessions, the editing of rules and every endpoint take half a second to load.
 */
export async function openDashboard(parts: ServiceParts) {
  const { container, config, collector, policies, reloader, storage, ruleVersions, sessionKey, clock, log } =
    parts;
  const { people } = storage.peopleStorage;
  const dialect = await storage.peopleStorage.sessionDialect();
  const idleSeconds = config.dashboard.sessionHours * HOUR_SECONDS;
  const sessions = new BetterAuthSessions({ dialect, people, secret: sessionKey, idleSeconds, log });
  const editing = new RuleEditing({
    source: policies.source,
    catalogue: collector.catalogue,
    jobs: await startRuleJobs(parts),
    store: storage.ruleDrafts,
    versions: ruleVersions,
    reloader,
    inForce: () => rulesInForce(policies),
    challenger: () => challengingRules(policies),
    hashAddress: (canonicalAddress) => hashAddress(parts.hmacKey, canonicalAddress),
    clock,
  });
  container.registerInstance(SESSIONS, sessions);
  container.registerInstance(RULE_EDITING, editing);
  const api = dashboardApi({
    areas: AREAS,
    resolve: (needs) =>
      Object.fromEntries(Object.entries(needs).map(([name, token]) => [name, container.resolve(token)])),
    sessions,
    accounts: storage.accounts,
    trustedProxies: config.http.trustedProxies,
  });
  return { api, close: () => editing.close() };
}

/** From TypeScript, as in tests, jobs run in this process: the modules of their own process have decorators, which must be compiled. */
async function startRuleJobs(parts: ServiceParts) {
  const { config, providerOptions, collector, clock, listStore, log } = parts;
  if (!import.meta.url.endsWith('.ts')) return queueRuleJobs({ config, providerOptions });
  const { openRuleJobs } = await import('../../rule-lab/editing/in-process-rule-jobs.ts');
  return openRuleJobs({
    collector,
    providerOptions,
    clock,
    promotion: config.rules.promotion,
    // Not the service's own object, which remembers what the service has loaded.
    downloads: () => new DownloadedLists(listStore, config.lists.urls, log).load(),
    openRecords: () => openRecordedChecks(readingUrl(config.storage)),
  });
}
