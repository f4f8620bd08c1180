import { Group, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { Limits, Usage } from '../../api/keys.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { formatDay } from '../../format/times.ts';
import { TimeSeries } from '../../ui/charts/time-series.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DAYS_SHOWN, daysUpTo, liveByDay } from './key-usage.ts';

interface Props {
  readonly limits: Limits | undefined;
  readonly usage: Usage | undefined;
  readonly error: unknown;
  readonly now: number;
}

/** What the account has asked, against what it may ask. */
export function UsagePanel({ limits, usage, error, now }: Props) {
  return (
    <Panel
      title="Usage"
      description="Answered checks of live keys by day (UTC), today so far. Test keys use no quota."
    >
      <Stack gap="lg">
        {limits === undefined ? <Skeleton h={64} /> : <Quota limits={limits} />}
        {error !== null && <ErrorNotice error={error} deed="The usage could not be loaded" />}
        {usage === undefined ? error === null && <Skeleton h={220} /> : <ByDay usage={usage} now={now} />}
      </Stack>
    </Panel>
  );
}

function Quota({ limits }: { readonly limits: Limits }) {
  const { used, checks_per_month: quota, month_ends_at, rate_limit } = limits;
  const share = quota === null || quota === 0 ? null : used / quota;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <div>
        <Group justify="space-between" mb={4}>
          <Text size="sm" fw={500}>
            This month
          </Text>
          <Text size="sm">
            {formatCount(used)} of {quota === null ? 'no limit' : formatCount(quota)}
            {share !== null && ` (${formatShare(share)})`}
          </Text>
        </Group>
        {share !== null && (
          <Progress
            value={Math.min(100, share * 100)}
            color={colorOf(share)}
            size="md"
            aria-label={`${formatShare(share)} of the month's quota used`}
          />
        )}
        <Text size="xs" c="dimmed" mt={4}>
          {share !== null && share >= 1
            ? `Used up: checks are refused with 429 until ${formatDay(month_ends_at)}.`
            : `Begins anew on ${formatDay(month_ends_at)} (UTC).`}
        </Text>
      </div>
      <div>
        <Text size="sm" fw={500} mb={4}>
          Rate limit
        </Text>
        <Text size="sm">
          {formatCount(rate_limit.requests)} requests in {rate_limit.window_seconds} seconds
        </Text>
        <Text size="xs" c="dimmed" mt={4}>
          For each key; one that was rotated shares it with its successor.
        </Text>
      </div>
    </SimpleGrid>
  );
}

function ByDay({ usage, now }: { readonly usage: Usage; readonly now: number }) {
  const values = liveByDay(usage, now);
  const most = Math.max(...values);
  return (
    <TimeSeries
      title={`Checks by day, the last ${DAYS_SHOWN} days`}
      description={
        most === 0
          ? 'No live check was answered in this time.'
          : `${formatCount(values.reduce((sum, value) => sum + value, 0))} checks in all, ${formatCount(most)} on the busiest day. The last day is today, so far.`
      }
      instants={daysUpTo(now).map((day) => `${day}T00:00:00.000Z`)}
      series={[{ label: 'Live checks', values }]}
      format={formatCount}
      isCount
    />
  );
}

/** Also told by the figures beside it. */
function colorOf(share: number): string {
  if (share >= 1) return 'red';
  return share >= 0.8 ? 'yellow' : 'indigo';
}
