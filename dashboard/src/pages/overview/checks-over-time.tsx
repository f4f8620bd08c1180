import type { Overview } from '../../api/overview.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { formatDay, formatInstant, formatTick } from '../../format/times.ts';
import { StackedBars } from '../../ui/charts/stacked-bars.tsx';
import { Panel } from '../../ui/panel.tsx';
import { countOf, periodsOf } from './decisions.ts';

const PARTS = [
  { label: 'Allowed', color: 'chart-allow' },
  { label: 'Blocked', color: 'chart-block' },
] as const;

export function ChecksOverTime({ overview }: { readonly overview: Overview }) {
  const periods = periodsOf(overview);
  const spanMs = Date.parse(overview.until) - Date.parse(overview.since);
  const label = overview.bucket === 'hour' ? formatInstant : formatDay;
  return (
    <Panel title="Checks over time" description={overview.bucket === 'hour' ? 'By the hour.' : 'By the day.'}>
      <StackedBars
        title="Checks over time"
        description={`${formatCount(overview.checks)} checks, ${formatShare(overview.blocked / overview.checks)} of them blocked.`}
        parts={PARTS}
        bars={periods.map(({ begins_at, bucket }) => ({
          key: begins_at,
          tick: formatTick(new Date(begins_at), spanMs),
          label: label(begins_at),
          counts: [countOf(bucket?.decisions ?? [], 'ALLOW'), countOf(bucket?.decisions ?? [], 'BLOCK')],
        }))}
      />
    </Panel>
  );
}
