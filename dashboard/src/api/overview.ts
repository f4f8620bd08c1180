import { hashKey, type QueryFunctionContext, useQuery } from '@tanstack/react-query';
import { lengthOf, type Range } from '../format/ranges.ts';
import { isAll, type Scope } from '../scope.ts';
import { answerOf, api } from './client.ts';
import { askAgainMs, type Counting, countingAfter } from './counting.ts';
import { queryOf } from './range-query.ts';
import type { components } from './schema.d.ts';

export type Overview = components['schemas']['overview'];
export type DecisionCount = components['schemas']['decision_count'];

/** Poll interval of a range that ends now. */
const LIVE_MS = 10_000;
/** Poll interval of the period before, where a minute does not matter. */
const BEFORE_MS = 60_000;

interface Seen {
  readonly overview: Overview;
  readonly counting: Counting;
}
type OverviewKey = readonly ['overview' | 'overview-before', Scope, Range];
type OverviewQuery = ReturnType<typeof queryOf>;

/** The overview, polled while the page is visible where its range ends now or not all is counted yet. */
export function useOverview(scope: Scope, range: Range) {
  return useQuery({
    queryKey: ['overview', scope, range] as const,
    queryFn: (context) => askFor(queryOf(range, Date.now()), context),
    select: overviewOf,
    refetchInterval: ({ state: { data, status } }) =>
      (data && askAgainMs(data.counting, status === 'error')) ?? ('preset' in range && LIVE_MS),
    // Not those of another scope: they would be taken for figures of the account that the page names.
    placeholderData: (last, before) =>
      hashKey([before?.queryKey[1]]) === hashKey([scope]) ? last : undefined,
  });
}

/** The overview of a time of the same length before. Wanted once the figures that it is compared with are there. */
export function useOverviewBefore(scope: Scope, range: Range, isWanted: boolean) {
  return useQuery({
    queryKey: ['overview-before', scope, range] as const,
    queryFn: (context) => {
      const { since } = queryOf(range, Date.now());
      const before = new Date(Date.parse(since) - lengthOf(range)).toISOString();
      return askFor({ since: before, until: since }, context);
    },
    select: overviewOf,
    refetchInterval: ({ state: { data, status } }) =>
      (data && askAgainMs(data.counting, status === 'error')) ?? ('preset' in range && BEFORE_MS),
    enabled: isWanted,
  });
}

async function askFor(
  query: OverviewQuery,
  { client, queryKey, signal }: QueryFunctionContext<OverviewKey>,
): Promise<Seen> {
  const [, scope] = queryKey;
  const overview = await answerOf(
    isAll(scope)
      ? api.GET('/dashboard/api/overview', { params: { query }, signal })
      : api.GET('/dashboard/api/accounts/{account_id}/overview', {
          params: { path: { account_id: scope.accountId }, query },
          signal,
        }),
  );
  const counted = client.getQueryData<Seen>(queryKey)?.counting;
  return { overview, counting: countingAfter(counted, overview.counted_share) };
}

/** Declared outside the hooks: `select` keeps its identity between renders and runs for new data alone. */
function overviewOf({ overview }: Seen): Overview {
  return overview;
}
