import { Badge, SimpleGrid, Stack } from '@mantine/core';
import { useOverview, useOverviewBefore } from '../../api/overview.ts';
import { isAll, useScope } from '../../scope.ts';
import { CountingProgress } from '../../ui/counting-progress.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Page } from '../../ui/page.tsx';
import { RangePicker, useRange } from '../../ui/range-picker.tsx';
import { ScopeSwitch } from '../../ui/scope-switch.tsx';
import { AttentionStrip } from './attention-strip.tsx';
import { ChecksOverTime } from './checks-over-time.tsx';
import { type Before, periodBefore } from './compare-before.ts';
import { FirstCheck } from './first-check.tsx';
import { FirstHour } from './first-hour.tsx';
import { LatencyOverTime } from './latency-over-time.tsx';
import { OverviewTiles } from './overview-tiles.tsx';
import { ProviderTable } from './provider-table.tsx';
import { ScoreHistogram } from './score-histogram.tsx';
import { TopDomains } from './top-domains.tsx';
import { TopRules } from './top-rules.tsx';

/** What live checks came to. */
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
      title="Overview"
      description="Checks of live keys, as they are on record. Times are in UTC."
      actions={
        <>
          {'preset' in range && (
            <Badge variant="dot" color="teal" tt="none">
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
          {overview !== undefined && (
            <>
              <ChecksOverTime overview={overview} before={before} />
              <SimpleGrid cols={{ base: 1, lg: 2 }}>
                <ScoreHistogram overview={overview} />
                <LatencyOverTime overview={overview} />
                <TopRules overview={overview} />
                <TopDomains overview={overview} />
              </SimpleGrid>
              <ProviderTable overview={overview} />
            </>
          )}
        </Stack>
      )}
    </Page>
  );
}
