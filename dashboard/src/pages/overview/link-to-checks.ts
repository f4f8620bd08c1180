import { useSearchParams } from 'wouter';
import { type Bounds, writeRange } from '../../format/ranges.ts';
import { type CheckFilters, writeFilters } from '../checks/check-filters.ts';

/** The checks behind a figure: of the same accounts and the same time, unless that is named. */
export function useLinkToChecks(): (filters: CheckFilters, time?: Bounds) => string {
  const [search] = useSearchParams();
  const range = search.has('range') || search.has('from') ? search : withRange(search);
  return (filters, time) =>
    `/checks?${writeFilters(time === undefined ? range : writeRange(search, time), filters)}`;
}

/** What the overview looks at where its address does not say so. */
function withRange(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.set('range', '24h');
  return next;
}
