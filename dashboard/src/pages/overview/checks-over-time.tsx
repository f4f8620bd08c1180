import type { Overview } from '../../api/overview.ts';
import { formatCounted, formatShare } from '../../format/numbers.ts';
import { formatDay, formatInstant, formatTick } from '../../format/times.ts';
import { StackedBars } from '../../ui/charts/stacked-bars.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useRange } from '../../ui/range-picker.tsx';
import { type Before, checksBefore } from './compare-before.ts';
import { CompareSwitch, useIsCompared } from './compare-switch.tsx';
import { countOf, endOf, periodsOf, STEP_MS } from './decisions.ts';
import { useLinkToChecks } from './link-to-checks.ts';
import { usePublishedVersions } from './published-versions.ts';

const PARTS = [
  { label: 'Allowed', color: 'chart-allow' },
  { label: 'Blocked', color: 'chart-block' },
] as const;

interface Props {
  readonly overview: Overview;
  /** Undefined where there is nothing to compare with, or not yet. */
  readonly before: Before | undefined;
}

export function ChecksOverTime({ overview, before }: Props) {
  const periods = periodsOf(overview);
  const spanMs = Date.parse(overview.until) - Date.parse(overview.since);
  const linkTo = useLinkToChecks();
  const marks = usePublishedVersions(overview);
  const [, setRange] = useRange();
  const isCompared = useIsCompared();
  const outline = isCompared &&
    before && {
      label: `In ${before.period}`,
      counts: checksBefore(
        periods.map(({ begins_at }) => begins_at),
        overview,
        before.overview,
      ),
    };
  const label = overview.bucket === 'hour' ? formatInstant : formatDay;
  return (
    <Panel
      title="Checks over time"
      description={`${overview.bucket === 'hour' ? 'By the hour.' : 'By the day.'} A bar leads to its checks; draw over some to look at their time alone.`}
      actions={<CompareSwitch label="With the time before, as an outline" />}
    >
      <StackedBars
        title="Checks over time"
        description={`${formatCounted(overview.checks, 'check')}, ${formatShare(overview.blocked / overview.checks)} of them blocked.`}
        parts={PARTS}
        stepMs={STEP_MS[overview.bucket]}
        marks={marks}
        {...(outline && { outline })}
        linkTo={({ key }) => linkTo({}, { from: key, to: endOf(key, overview) })}
        onStretch={(first, last) => setRange({ from: first.key, to: endOf(last.key, overview) })}
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
