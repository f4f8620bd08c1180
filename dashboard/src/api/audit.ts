import { useInfiniteQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import type { components, operations } from './schema.d.ts';

export type AuditEntry = components['schemas']['audit_entry'];
type Query = NonNullable<operations['list_audit_trail']['parameters']['query']>;
export type AuditAction = NonNullable<Query['action']>;
export type AuditFilter = Pick<Query, 'account_id' | 'person_id' | 'action' | 'since' | 'until'>;

const PAGE = 50;

/** The newest first, page by page. */
export function useAuditTrail(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET('/dashboard/api/audit', {
          params: {
            query: { ...filter, limit: PAGE, ...(pageParam !== null && { before: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}
