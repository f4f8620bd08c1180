import { useSearchParams } from 'wouter';
import { type CheckFilters, writeFilters } from '../checks/check-filters.ts';

/** The checks behind a figure: of the same accounts and the same time. */
export function useLinkToChecks(): (filters: CheckFilters) => string {
  const [search] = useSearchParams();
  const range = search.has('range') || search.has('from') ? search : withRange(search);
  return (filters) => `/checks?${writeFilters(range, filters)}`;
}

/** What the overview looks at where its address does not say so. */
function withRange(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.set('range', '24h');
  return next;
}
