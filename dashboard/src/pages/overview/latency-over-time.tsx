import type { Overview } from '../../api/overview.ts';
import { formatMicroseconds } from '../../format/numbers.ts';
import { TimeSeries } from '../../ui/charts/time-series.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useRange } from '../../ui/range-picker.tsx';
import { endOf, periodsOf } from './decisions.ts';
import { usePublishedVersions } from './published-versions.ts';

export function LatencyOverTime({ overview }: { readonly overview: Overview }) {
  const marks = usePublishedVersions(overview);
  const [, setRange] = useRange();
  const periods = periodsOf(overview);
  const { p50_us, p95_us, p99_us, measured } = overview.latency;
  return (
    <Panel
      title="Decision time"
      description="From the call to the decision; writing the record comes after. Draw over some of the time to look at it alone."
    >
      {measured === 0 ? (
        'These checks were recorded before this was measured.'
      ) : (
        <TimeSeries
          title="Decision time"
          description={`Half of the checks took up to ${formatMicroseconds(p50_us)}, 95 % up to ${formatMicroseconds(p95_us)}, 99 % up to ${formatMicroseconds(p99_us)}.`}
          instants={periods.map(({ begins_at }) => begins_at)}
          series={[
            { label: 'p50', values: periods.map(({ bucket }) => bucket?.latency.p50_us ?? null) },
            { label: 'p95', values: periods.map(({ bucket }) => bucket?.latency.p95_us ?? null) },
          ]}
          format={formatMicroseconds}
          marks={marks}
          onStretch={(first, last) => setRange({ from: first, to: endOf(last, overview) })}
        />
      )}
    </Panel>
  );
}
