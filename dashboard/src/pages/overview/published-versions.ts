import { useInfiniteQuery } from '@tanstack/react-query';
import { useMay } from '../../account-in-view.ts';
import type { Overview } from '../../api/overview.ts';
import type { ChartMarks } from '../../ui/charts/time-marks.tsx';
import { type Version, versionsQuery } from '../rules/queries.ts';
import { historyOf, marksOf } from './version-marks.ts';

const NONE: readonly Version[] = [];

/** Versions of the rules that came into force within a time, for those who may see Rule history. */
export function usePublishedVersions({ since, until }: Pick<Overview, 'since' | 'until'>): ChartMarks {
  const isAllowed = useMay({ operator: 'analyst' });
  const { data } = useInfiniteQuery({ ...versionsQuery, enabled: isAllowed });
  return {
    title: 'Rules in force',
    marks: marksOf(data?.pages[0]?.versions ?? NONE, since, until),
    linkTo: historyOf,
  };
}
