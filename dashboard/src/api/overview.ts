import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Range } from '../format/ranges.ts';
import { isAll, type Scope } from '../scope.ts';
import { answerOf, api } from './client.ts';
import { askAgainMs, type Counting, countingAfter } from './counting.ts';
import { queryOf } from './range-query.ts';
import type { components } from './schema.d.ts';

export type Overview = components['schemas']['overview'];
export type DecisionCount = components['schemas']['decision_count'];

/** A span that ends now moves on. */
const LIVE_MS = 10_000;
interface Seen {
  readonly overview: Overview;
  readonly counting: Counting;
}

/** An overview that is asked for again while the page is looked at, where its end is now or not all is counted yet. */
export function useOverview(scope: Scope, range: Range) {
  return useQuery({
    queryKey: ['overview', scope, range],
    queryFn: async ({ client, queryKey, signal }): Promise<Seen> => {
      const query = queryOf(range, Date.now());
      const overview = await answerOf(
        isAll(scope)
          ? api.GET('/dashboard/api/overview', { params: { query }, signal })
          : api.GET('/dashboard/api/accounts/{account_id}/overview', {
              params: { path: { account_id: scope.accountId }, query },
              signal,
            }),
      );
      const before = client.getQueryData<Seen>(queryKey)?.counting;
      return { overview, counting: countingAfter(before, overview.counted_share) };
    },
    select: overviewOf,
    refetchInterval: ({ state: { data, status } }) =>
      (data && askAgainMs(data.counting, status === 'error')) ?? ('preset' in range && LIVE_MS),
    placeholderData: keepPreviousData,
  });
}

/** The same function for each render, so that it is called for new data alone. */
function overviewOf({ overview }: Seen): Overview {
  return overview;
}
