import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Range } from '../format/ranges.ts';
import { type CheckFilters, queryOfFilters } from '../pages/checks/check-filters.ts';
import { isAll, type Scope } from '../scope.ts';
import { answerOf, api } from './client.ts';
import type { components } from './schema.d.ts';

export type ListedCheck = components['schemas']['listed_check'];
export type WholeCheck = components['schemas']['whole_check'];
export type LedgerEntry = components['schemas']['ledger_entry'];
export type Explanation = components['schemas']['check_explanation'];
export type Label = 'good' | 'bad';

/** Page after page, the newest first. */
export function useChecks(scope: Scope, filters: CheckFilters, range: Range | null) {
  return useInfiniteQuery({
    queryKey: ['checks', scope, filters, range],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => {
      const query = {
        ...queryOfFilters(filters, range, Date.now()),
        ...(pageParam !== null && { after: pageParam }),
      };
      return answerOf(
        isAll(scope)
          ? api.GET('/dashboard/api/checks', { params: { query }, signal })
          : api.GET('/dashboard/api/accounts/{account_id}/checks', {
              params: { path: { account_id: scope.accountId }, query },
              signal,
            }),
      );
    },
    getNextPageParam: ({ next }) => next,
  });
}

/** The hash by which the checks of an address are found, so that the address itself stands in no URL. */
export function useNamePerson() {
  return useMutation({
    mutationFn: (email: string) => answerOf(api.POST('/dashboard/api/checks/person', { body: { email } })),
  });
}

export function useCheck(scope: Scope, id: string) {
  return useQuery({
    queryKey: ['check', scope, id],
    queryFn: ({ signal }) =>
      answerOf(
        isAll(scope)
          ? api.GET('/dashboard/api/checks/{check_id}', { params: { path: { check_id: id } }, signal })
          : api.GET('/dashboard/api/accounts/{account_id}/checks/{check_id}', {
              params: { path: { account_id: scope.accountId, check_id: id } },
              signal,
            }),
      ),
  });
}

/** What the rules in force make of it; another answer after each change of the rules. */
export function useExplanation({ account_id, id }: Pick<WholeCheck, 'account_id' | 'id'>) {
  return useQuery({
    queryKey: ['explanation', account_id, id],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/dashboard/api/accounts/{account_id}/checks/{check_id}/explanation', {
          params: { path: { account_id, check_id: id } },
          signal,
        }),
      ),
  });
}

/** Null takes the label back. */
export function useLabel({ account_id, id }: Pick<WholeCheck, 'account_id' | 'id'>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (label: Label | null) => {
      const params = { path: { account_id, check_id: id } };
      const path = '/dashboard/api/accounts/{account_id}/checks/{check_id}/label';
      if (label === null) await answerOf(api.DELETE(path, { params }));
      else await answerOf(api.PUT(path, { params, body: { label } }));
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['checks'] });
      return client.invalidateQueries({ queryKey: ['check'] });
    },
  });
}
