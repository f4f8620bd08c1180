import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { components, paths } from './schema.d.ts';
import { useSessionChange } from './session.ts';

export type OneTimeLink = components['schemas']['one_time_link'];
type Redemption = paths['/dashboard/api/setup']['post']['requestBody']['content']['application/json'];

/** What a link is good for. Looking at it does not use it up. */
export function useOneTimeLink(token: string) {
  return useQuery({
    queryKey: ['one-time-link', token],
    queryFn: () => answerOf(api.POST('/dashboard/api/setup/link', { body: { token } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Uses a link, and signs in. */
export function useRedemption() {
  return useSessionChange((body: Redemption) => answerOf(api.POST('/dashboard/api/setup', { body })));
}
