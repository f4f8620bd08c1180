import { useSearchParams } from 'wouter';
import { type Bounds, writeRange } from '../../format/ranges.ts';
import { type CheckFilters, writeFilters } from '../checks/check-filters.ts';

/** Links to the checks behind a figure: of the same accounts, and of the same time unless `time` is given. */
export function useLinkToChecks(): (filters: CheckFilters, time?: Bounds) => string {
  const [search] = useSearchParams();
  const range = search.has('range') || search.has('from') ? search : withRange(search);
  return (filters, time) =>
    `/checks?${writeFilters(time === undefined ? range : writeRange(search, time), filters)}`;
}

/** The overview's default range, made explicit: Checks without a range looks at all of time. */
function withRange(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.set('range', '24h');
  return next;
}
