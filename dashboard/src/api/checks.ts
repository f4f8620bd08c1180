import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { Range } from '../format/ranges.ts';
import { type CheckFilters, queryOfFilters } from '../pages/checks/check-filters.ts';
import { saveCsv } from '../save-csv.ts';
import { isAll, type Scope } from '../scope.ts';
import { answerOf, api } from './client.ts';
import type { components, operations } from './schema.d.ts';
import { useChange } from './use-change.ts';

export type ListedCheck = components['schemas']['listed_check'];
export type WholeCheck = components['schemas']['whole_check'];
export type LedgerEntry = components['schemas']['ledger_entry'];
export type SideOfRollout = components['schemas']['side_of_rollout'];
export type Explanation = components['schemas']['check_explanation'];
export type Label = 'good' | 'bad';

/** Page after page, the newest first. */
export function useChecks(scope: Scope, filters: CheckFilters, range: Range | null) {
  return useInfiniteQuery({
    queryKey: ['checks', scope, filters, range],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) =>
      find(
        scope,
        {
          ...queryOfFilters(filters, range, Date.now()),
          ...(pageParam !== null && { after: pageParam }),
        },
        signal,
      ),
    getNextPageParam: ({ next }) => next,
  });
}

type Query = NonNullable<operations['find_checks']['parameters']['query']>;

function find(scope: Scope, query: Query, signal: AbortSignal) {
  return answerOf(
    isAll(scope)
      ? api.GET('/dashboard/api/checks', { params: { query }, signal })
      : api.GET('/dashboard/api/accounts/{account_id}/checks', {
          params: { path: { account_id: scope.accountId }, query },
          signal,
        }),
  );
}

/** Saves the checks of a search as a file. */
export function useSaveChecks(scope: Scope, filters: CheckFilters, range: Range | null) {
  return useMutation({
    mutationFn: async () => {
      const query = queryOfFilters(filters, range, Date.now());
      const file = await answerOf(
        isAll(scope)
          ? api.GET('/dashboard/api/checks.csv', { params: { query }, parseAs: 'text' })
          : api.GET('/dashboard/api/accounts/{account_id}/checks.csv', {
              params: { path: { account_id: scope.accountId }, query },
              parseAs: 'text',
            }),
      );
      saveCsv('checks.csv', file);
    },
  });
}

/** The cursor of a check in the order of time, for `before` and `after`. */
export function placeOf({ created_at, id }: Pick<ListedCheck, 'created_at' | 'id'>): string {
  return `${created_at}.${id}`;
}

const LOOK_EVERY_MS = 10_000;

/** Looks every ten seconds, while the page is visible, for checks that are newer than the cursor `place`. */
export function useNewerChecks(scope: Scope, filters: CheckFilters, range: Range | null, place: string) {
  return useQuery({
    queryKey: ['checks', 'newer', scope, filters, range, place],
    queryFn: ({ signal }) =>
      find(scope, { ...queryOfFilters(filters, range, Date.now()), before: place }, signal),
    // A range with a fixed end gets no new checks, and each search for flips takes a replay.
    enabled: filters.id === undefined && filters.flips === undefined && (range === null || 'preset' in range),
    refetchInterval: LOOK_EVERY_MS,
    // Asks at once when the person comes back to the page.
    staleTime: 0,
    // The next poll asks again anyway.
    retry: false,
  });
}

interface Beside {
  readonly scope: Scope;
  readonly filters: CheckFilters;
  readonly range: Range | null;
  readonly check: WholeCheck;
}

/** The next newer or older check of a search; null at its end. */
export function useNeighbour(way: 'newer' | 'older', { scope, filters, range, check }: Beside) {
  const place = placeOf(check);
  return useQuery({
    queryKey: ['checks', way, scope, filters, range, place, 1],
    enabled: filters.id === undefined,
    queryFn: async ({ signal }): Promise<ListedCheck | null> => {
      const from = way === 'newer' ? { before: place } : { after: place };
      const query = { ...queryOfFilters(filters, range, Date.now()), ...from, limit: 1 };
      return (await find(scope, query, signal)).checks[0] ?? null;
    },
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

/** Judges the recorded facts by the rules in force now, so the answer changes with the rules. */
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

/** What a label is shown in. */
const LABELLED = [['checks'], ['check']];

/** Labels checks of one account. */
export function useLabelChecks(accountId: string) {
  const params = { path: { account_id: accountId } };
  return useChange(
    LABELLED,
    (body: {
      readonly checks: string[];
      readonly label: Label | 'none';
      /** By check, the label that the page shows. */
      readonly was: Record<string, Label | 'none'>;
    }) => answerOf(api.PUT('/dashboard/api/accounts/{account_id}/labels', { params, body })),
  );
}

/** The check's own label; undefined where it has none, or only a label of its person. */
export function ownLabelOf({ labels }: Pick<WholeCheck, 'labels'>): Label | undefined {
  return labels.find(({ of }) => of === 'check')?.label;
}

/** Sets the check's own label, or removes it. Refused with `label_changed` where it is another than in `check` by now. */
export function useLabel(check: WholeCheck) {
  const params = { path: { account_id: check.account_id, check_id: check.id } };
  const path = '/dashboard/api/accounts/{account_id}/checks/{check_id}/label';
  return useChange(LABELLED, (label: Label | 'none') =>
    answerOf(api.PUT(path, { params, body: { label, was: ownLabelOf(check) ?? 'none' } })),
  );
}
