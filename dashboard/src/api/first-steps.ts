import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';

export type FirstSteps = components['schemas']['first_steps'];

/** A step is ticked while the person looks on. */
const LIVE_MS = 5_000;

export function useFirstSteps(accountId: string) {
  const params = { path: { account_id: accountId } };
  return useQuery({
    queryKey: ['first-steps', accountId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/dashboard/api/accounts/{account_id}/first-steps', { params, signal })),
    // Of an account that is no new one nothing is shown.
    refetchInterval: ({ state: { data } }) => data?.is_new !== false && LIVE_MS,
  });
}
