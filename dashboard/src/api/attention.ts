import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';

export type Finding = components['schemas']['attention_finding'];

/** Poll interval: the service renews its slow findings as often. */
const LOOK_MS = 60_000;

/** The findings that need a person now, the most urgent first. */
export function useAttention() {
  return useQuery({
    queryKey: ['attention'],
    queryFn: async ({ signal }) => (await answerOf(api.GET('/dashboard/api/attention', { signal }))).findings,
    refetchInterval: LOOK_MS,
    staleTime: LOOK_MS / 2,
  });
}

/** The page of a finding, with the account in which it was found; `accountId` is null where it is of no account. */
export function pageOf({ page }: Finding, accountId: string | null): string {
  if (accountId === null) return page;
  return `${page}?account=${encodeURIComponent(accountId)}`;
}
