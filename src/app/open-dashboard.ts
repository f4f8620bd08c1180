import type { Middleware } from 'koa';
import type { Sessions } from '../accounts/people/sessions.ts';
import type { InjectionToken } from '../di.ts';
import type { RequestState } from '../http/state.ts';
import type { Logger } from '../observability/logger.ts';
import type { Storage } from '../storage/ports.ts';
import type { Config } from './config/config.ts';

export interface DashboardParts {
  readonly config: Config;
  readonly storage: Storage;
  /** Signs the cookies of sessions. */
  readonly secret: Buffer;
  readonly log: Logger;
  readonly resolve: <T>(token: InjectionToken<T>) => T;
  /** Told who keeps the sessions, before anything is resolved. */
  readonly onSessions: (sessions: Sessions) => void;
}

const HOUR_SECONDS = 3_600;

/** Makes the management API ready. Loads what nothing else needs: the library of sessions, and every endpoint. */
export async function openDashboard(parts: DashboardParts): Promise<Middleware<RequestState>> {
  const { config, storage, secret, log, resolve, onSessions } = parts;
  const [{ BetterAuthSessions }, { dashboardApi }, { AREAS }, dialect] = await Promise.all([
    import('../accounts/people/better-auth-sessions.ts'),
    import('../http/dashboard/dashboard-api.ts'),
    import('../http/dashboard/areas.ts'),
    storage.peopleStorage.sessionDialect(),
  ]);
  const { people } = storage.peopleStorage;
  const idleSeconds = config.dashboard.sessionHours * HOUR_SECONDS;
  const sessions = new BetterAuthSessions({ dialect, people, secret, idleSeconds, log });
  onSessions(sessions);
  const { trustedProxies } = config.http;
  return dashboardApi({ areas: AREAS, resolve, sessions, accounts: storage.accounts, trustedProxies });
}
