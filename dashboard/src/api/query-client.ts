import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, hasCode } from './api-error.ts';
import { endedSession, SESSION_KEY } from './session.ts';

/** Retries of a failed query at most, made only where another try may help. */
const RETRIES = 2;

/** The cache of answers. When any call learns that the session has ended, the whole app is told. */
export function createQueryClient(): QueryClient {
  // By default a page learns in a later task that a mutation runs: a second click before that would make the change twice.
  notifyManager.setScheduler(queueMicrotask);
  const signOutWhenRefused = (error: unknown) => {
    if (hasCode(error, 'not_signed_in')) client.setQueryData(SESSION_KEY, endedSession);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: signOutWhenRefused }),
    mutationCache: new MutationCache({ onError: signOutWhenRefused }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A service on the same machine is reachable without the internet.
        networkMode: 'always',
        retry: (failures, error) => failures < RETRIES && error instanceof ApiError && error.isRetryable,
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
