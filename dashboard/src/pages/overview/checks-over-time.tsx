import type { Overview } from '../../api/overview.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { formatDay, formatInstant, formatTick } from '../../format/times.ts';
import { StackedBars } from '../../ui/charts/stacked-bars.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useRange } from '../../ui/range-picker.tsx';
import { countOf, periodsOf, STEP_MS } from './decisions.ts';
import { useLinkToChecks } from './link-to-checks.ts';
import { usePublishedVersions } from './published-versions.ts';

const PARTS = [
  { label: 'Allowed', color: 'chart-allow' },
  { label: 'Blocked', color: 'chart-block' },
] as const;

export function ChecksOverTime({ overview }: { readonly overview: Overview }) {
  const periods = periodsOf(overview);
  const spanMs = Date.parse(overview.until) - Date.parse(overview.since);
  const linkTo = useLinkToChecks();
  const marks = usePublishedVersions(overview);
  const [, setRange] = useRange();
  const endOf = (begins: string) => new Date(Date.parse(begins) + STEP_MS[overview.bucket]).toISOString();
  const label = overview.bucket === 'hour' ? formatInstant : formatDay;
  return (
    <Panel
      title="Checks over time"
      description={`${overview.bucket === 'hour' ? 'By the hour.' : 'By the day.'} A bar leads to its checks; draw over some to look at their time alone.`}
    >
      <StackedBars
        title="Checks over time"
        description={`${formatCount(overview.checks)} checks, ${formatShare(overview.blocked / overview.checks)} of them blocked.`}
        parts={PARTS}
        stepMs={STEP_MS[overview.bucket]}
        marks={marks}
        linkTo={({ key }) => linkTo({}, { from: key, to: endOf(key) })}
        onStretch={(first, last) => setRange({ from: first.key, to: endOf(last.key) })}
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
