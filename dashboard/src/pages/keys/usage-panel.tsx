import { Group, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { Limits, Usage } from '../../api/keys.ts';
import { formatCount, formatCounted, formatShare, sumOf } from '../../format/numbers.ts';
import { formatDay } from '../../format/times.ts';
import { TimeSeries } from '../../ui/charts/time-series.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { compareAmounts } from '../overview/compare-before.ts';
import { CompareSwitch } from '../overview/compare-switch.tsx';
import { usePublishedVersions } from '../overview/published-versions.ts';
import { DAYS_SHOWN, daysUpTo, liveByDay, liveByDayBefore } from './key-usage.ts';

interface Props {
  readonly limits: Limits | undefined;
  readonly usage: Usage | undefined;
  /** Usage that covers as long a time before; undefined where it is not wanted, or not there yet. */
  readonly earlier: Usage | undefined;
  readonly error: unknown;
  readonly onRetry: () => unknown;
  readonly now: number;
}

/** The usage of the account, compared with its limits. */
export function UsagePanel({ limits, usage, earlier, error, onRetry, now }: Props) {
  return (
    <Panel
      title="Usage"
      description="Answered checks of live keys by day (UTC), today so far. Test keys use no quota."
      actions={<CompareSwitch label="With the time before" />}
    >
      <Stack gap="lg">
        {limits === undefined ? <Skeleton h={64} /> : <Quota limits={limits} />}
        <ErrorNotice error={error} deed="The usage could not be loaded" onRetry={onRetry} />
        {usage === undefined ? (
          error === null && <Skeleton h={220} />
        ) : (
          <ByDay usage={usage} earlier={earlier} now={now} />
        )}
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
        <Dimmed mt={4}>
          {share !== null && share >= 1
            ? `Used up: checks are refused with 429 until ${formatDay(month_ends_at)}. An operator can raise quota.checks_per_month.`
            : `Begins anew on ${formatDay(month_ends_at)} (UTC).`}
        </Dimmed>
      </div>
      <div>
        <Text size="sm" fw={500} mb={4}>
          Rate limit
        </Text>
        <Text size="sm">
          {formatCount(rate_limit.requests)} requests in {rate_limit.window_seconds} seconds
        </Text>
        <Dimmed mt={4}>For each key; one that was rotated shares it with its successor.</Dimmed>
      </div>
    </SimpleGrid>
  );
}

interface ByDayProps {
  readonly usage: Usage;
  readonly earlier: Usage | undefined;
  readonly now: number;
}

const PERIOD = `the ${DAYS_SHOWN} days before`;

function ByDay({ usage, earlier, now }: ByDayProps) {
  const values = liveByDay(usage, now);
  const before = earlier && liveByDayBefore(earlier, now);
  const instants = daysUpTo(now).map((day) => `${day}T00:00:00.000Z`);
  const marks = usePublishedVersions({
    since: instants[0] ?? '',
    until: new Date(now).toISOString(),
  });
  const compared = before && compareAmounts(sumOf(values), sumOf(before), PERIOD);
  return (
    <TimeSeries
      title={`Checks by day, the last ${DAYS_SHOWN} days`}
      description={[
        Math.max(...values) === 0
          ? 'No live check was answered in this time.'
          : `${formatCounted(sumOf(values), 'check')} in all, ${formatCount(Math.max(...values))} on the busiest day. The last day is today, so far.`,
        compared && `That is ${compared}.`,
      ]
        .filter(Boolean)
        .join(' ')}
      instants={instants}
      series={[
        { label: 'Live checks', values },
        ...(before ? [{ label: `In ${PERIOD}`, values: before, color: 'chart-5' as const }] : []),
      ]}
      marks={marks}
      format={formatCount}
      isCount
    />
  );
}

/** Colour is not the only sign: the figures say the same. */
function colorOf(share: number): string {
  if (share >= 1) return 'red';
  return share >= 0.8 ? 'yellow' : 'indigo';
}
