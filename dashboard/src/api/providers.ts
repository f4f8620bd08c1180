import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';

export type Provider = components['schemas']['provider'];
export type DnsServer = components['schemas']['dns_server'];
export type ProviderFigures = components['schemas']['provider_figures'];

/** Poll interval: the state of DNS servers changes by itself. */
const LIVE_MS = 10_000;

export function useProviders() {
  return useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => answerOf(api.GET('/dashboard/api/providers', { signal })),
    refetchInterval: LIVE_MS,
  });
}
