import { Badge, Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useOverview, useOverviewBefore } from '../../api/overview.ts';
import { isAll, useScope } from '../../scope.ts';
import { CountingProgress } from '../../ui/counting-progress.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { RangePicker, useRange } from '../../ui/range-picker.tsx';
import { ScopeSwitch } from '../../ui/scope-switch.tsx';
import { AttentionStrip } from './attention-strip.tsx';
import { type Before, periodBefore } from './compare-before.ts';
import { FirstCheck } from './first-check.tsx';
import { FirstHour } from './first-hour.tsx';
import { OverviewTiles } from './overview-tiles.tsx';

/** Loaded once the page is drawn: on a slow line the figures come a second sooner than the charts. */
const OverviewCharts = lazy(() => import('./overview-charts.tsx'));
const CHART_PX = 360;

/** The figures of live checks. */
export default function OverviewPage() {
  const [range, setRange] = useRange();
  const scope = useScope();
  const { data: overview, error, refetch, isPlaceholderData } = useOverview(scope, range);
  const isWhole = overview !== undefined && !isPlaceholderData && overview.counted_share === 1;
  const { data: earlier } = useOverviewBefore(scope, range, isWhole && overview.checks > 0);
  const before: Before | undefined =
    isWhole && earlier?.counted_share === 1 ? { overview: earlier, period: periodBefore(range) } : undefined;
  return (
    <Page
      docs="dashboard#overview-and-checks"
      title="Overview"
      description="Checks of live keys, as they are on record. Times are in UTC."
      actions={
        <>
          {'preset' in range && (
            <Badge variant="dot" color="teal">
              Live
            </Badge>
          )}
          <ScopeSwitch />
          <RangePicker value={range} onChange={setRange} />
        </>
      }
    >
      <AttentionStrip />
      {!isAll(scope) && <FirstHour accountId={scope.accountId} />}
      {error !== null && overview === undefined ? (
        <ErrorNotice error={error} deed="The figures could not be loaded" onRetry={() => refetch()} />
      ) : overview?.checks === 0 && overview.counted_share === 1 ? (
        <FirstCheck testChecks={overview.test_checks} />
      ) : (
        <Stack
          gap="md"
          opacity={isPlaceholderData ? 0.6 : 1}
          aria-busy={overview === undefined || isPlaceholderData}
        >
          {overview !== undefined && overview.counted_share < 1 && (
            <CountingProgress share={overview.counted_share} />
          )}
          <OverviewTiles overview={overview} before={before} />
          <Suspense fallback={<Skeleton h={CHART_PX} />}>
            <OverviewCharts overview={overview} before={before} />
          </Suspense>
        </Stack>
      )}
    </Page>
  );
}
