import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
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

function emailIn(detail: object): string {
  return 'email' in detail ? String(detail.email) : 'unknown';
}

/** As many as the service answers at once: of more, those who were removed last. */
const MOST_REMOVED = 200;

/** People who were removed: the list of people is without them, their entries stay. */
export function useRemovedPeople(enabled: boolean) {
  return useQuery({
    enabled,
    queryKey: ['audit', 'removed'],
    queryFn: async ({ signal }) => {
      const query = { action: 'person.removed' as const, limit: MOST_REMOVED };
      const { entries } = await answerOf(api.GET('/dashboard/api/audit', { params: { query }, signal }));
      return entries.map(({ subject, detail }) => ({ id: subject ?? '', email: emailIn(detail) }));
    },
  });
}
