import type { Middleware } from 'koa';
import { BetterAuthSessions } from '../../accounts/better-auth-sessions.ts';
import { SESSIONS } from '../../accounts/person.ts';
import type { DependencyContainer } from '../../di.ts';
import { AREAS, dashboardApi } from '../../http/dashboard/dashboard-api.ts';
import type { RequestState } from '../../http/request-state.ts';
import type { Logger } from '../../observability/logger.ts';
import { RULE_EDITING } from '../../rule-lab/editing/rule-editing.ts';
import { openRuleEditing, type RuleEditingOpening } from './rule-editing.ts';

export interface DashboardParts extends RuleEditingOpening {
  readonly container: DependencyContainer;
  /** Signs the cookies of sessions. */
  readonly secret: Buffer;
  readonly log: Logger;
}

export interface OpenedDashboard {
  readonly api: Middleware<RequestState>;
  close(): void;
}

const HOUR_SECONDS = 3_600;

/**
 * Binds what only the dashboard needs and mounts its API. This module is imported at the first request to the dashboard:
 * the library of sessions, the editing of rules and every endpoint take half a second to load.
 */
export async function openDashboard(parts: DashboardParts): Promise<OpenedDashboard> {
  const { container, config, storage, secret, log } = parts;
  const { people } = storage.peopleStorage;
  const dialect = await storage.peopleStorage.sessionDialect();
  const idleSeconds = config.dashboard.sessionHours * HOUR_SECONDS;
  const sessions = new BetterAuthSessions({ dialect, people, secret, idleSeconds, log });
  const editing = await openRuleEditing(parts);
  container.registerInstance(SESSIONS, sessions);
  container.registerInstance(RULE_EDITING, editing);
  const api = dashboardApi({
    areas: AREAS,
    resolve: (token) => container.resolve(token),
    sessions,
    accounts: storage.accounts,
    trustedProxies: config.http.trustedProxies,
  });
  return { api, close: () => editing.close() };
}
