import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';

export type FirstSteps = components['schemas']['first_steps'];

/** Poll interval: a finished step is ticked while the person watches. */
const LIVE_MS = 5_000;

export function useFirstSteps(accountId: string) {
  const params = { path: { account_id: accountId } };
  return useQuery({
    queryKey: ['first-steps', accountId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/dashboard/api/accounts/{account_id}/first-steps', { params, signal })),
    // Stops for an account that is not new: nothing is shown of it.
    refetchInterval: ({ state: { data } }) => data?.is_new !== false && LIVE_MS,
  });
}
