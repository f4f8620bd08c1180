import { useSearchParams } from 'wouter';
import { withChanges } from '../../address.ts';
import { addressOf, type Range, readRange } from '../../format/ranges.ts';
import type { CheckFilters } from '../checks/check-filters.ts';

/** Links to the checks behind a figure: of the same accounts, and of the same time unless `time` is given. */
export function useLinkToChecks(): (filters: CheckFilters, time?: Range) => string {
  const [search] = useSearchParams();
  // The default range is made explicit: Checks without a range looks at all of time.
  return (filters, time = readRange(search)) =>
    `/checks?${withChanges(search, { ...addressOf(time), ...filters })}`;
}
