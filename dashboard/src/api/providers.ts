import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { boundsOf, type Range } from '../format/ranges.ts';
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

/** How often and how fast each has answered, by its id, over all accounts. */
export function useProviderFigures(range: Range) {
  return useQuery({
    queryKey: ['providers', 'figures', range],
    queryFn: async ({ signal }) => {
      const { from, to } = boundsOf(range, Date.now());
      const query = { since: from, until: to };
      const { providers } = await answerOf(api.GET('/dashboard/api/overview', { params: { query }, signal }));
      return new Map(providers.map((figures) => [figures.id, figures]));
    },
    refetchInterval: 'preset' in range ? LIVE_MS : false,
    placeholderData: keepPreviousData,
  });
}
