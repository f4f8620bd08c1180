import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Range } from '../format/ranges.ts';
import { isAll, type Scope } from '../scope.ts';
import { answerOf, api } from './client.ts';
import { queryOf } from './range-query.ts';
import type { components } from './schema.d.ts';

export type Overview = components['schemas']['overview'];
export type DecisionCount = components['schemas']['decision_count'];

/** A span that ends now moves on. */
const LIVE_MS = 10_000;
/** Each answer comes further. */
const COUNTING_MS = 250;

/** An overview that is asked for again while the page is looked at, where its end is now or not all is counted yet. */
export function useOverview(scope: Scope, range: Range) {
  return useQuery({
    queryKey: ['overview', scope, range],
    queryFn: ({ signal }) => {
      const query = queryOf(range, Date.now());
      return answerOf(
        isAll(scope)
          ? api.GET('/dashboard/api/overview', { params: { query }, signal })
          : api.GET('/dashboard/api/accounts/{account_id}/overview', {
              params: { path: { account_id: scope.accountId }, query },
              signal,
            }),
      );
    },
    refetchInterval: ({ state: { data } }) => {
      if (data !== undefined && data.counted_share < 1) return COUNTING_MS;
      return 'preset' in range ? LIVE_MS : false;
    },
    placeholderData: keepPreviousData,
  });
}
