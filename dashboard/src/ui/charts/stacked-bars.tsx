import { scaleBand, scaleLinear } from '@visx/scale';
import { useState } from 'react';
import { useNavigateInAccount } from '../../account-in-view.ts';
import { formatCompact, formatCount } from '../../format/numbers.ts';
import { type ChartColor, colorsOf, cssColor } from '../../palette.ts';
import { Axes, MARGIN } from './axes.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { CountOutlines } from './count-outlines.tsx';
import { PointerArea } from './pointer-area.tsx';
import { Readout } from './readout.tsx';
import { StackedCounts, tallestOf } from './stacked-counts.tsx';
import { type ChartMarks, TimeMarks, tableOfMarks } from './time-marks.tsx';

export interface StackedBar {
  /** When its period begins (ISO 8601): unique, and in order. */
  readonly key: string;
  /** Under the axis. */
  readonly tick: string;
  /** In full: in the table and under the pointer. */
  readonly label: string;
  /** One for each of `parts`. */
  readonly counts: readonly number[];
}

interface Props {
  readonly title: string;
  readonly description: string;
  readonly bars: readonly StackedBar[];
  /** From below. */
  readonly parts: readonly { readonly label: string; readonly color?: ChartColor }[];
  readonly height?: number;
  /** How long the period of a bar is. */
  readonly stepMs: number;
  readonly marks?: ChartMarks;
  /** Totals to compare with, one for each bar, drawn as frames around it. */
  readonly outline?: { readonly label: string; readonly counts: readonly number[] };
  /** Where a bar leads: what it counts. By keyboard the links of the table lead to the same. */
  readonly linkTo?: (bar: StackedBar) => string;
  /** Called with the first and the last bar of a stretch that was drawn over the chart. */
  readonly onStretch?: (first: StackedBar, last: StackedBar) => void;
}

const OUTLINE_COLOR = cssColor('chart-threshold');
const TICK_PX = 72;
const LARGEST_GAP = 0.25;

/** A bar for each period, stacked from its parts. */
export function StackedBars(props: Props) {
  const { title, description, bars, parts, height = 240, stepMs, marks, outline, linkTo, onStretch } = props;
  const navigate = useNavigateInAccount();
  const [at, setAt] = useState<number | null>(null);
  const colors = colorsOf(parts);
  const columns = [
    ...parts.map(({ label }, index) => ({
      label,
      color: colors[index] ?? '',
      counts: bars.map(({ counts }) => counts[index] ?? 0),
    })),
    ...(outline ? [{ ...outline, color: OUTLINE_COLOR }] : []),
  ];
  const highest = Math.max(tallestOf(bars), ...(outline?.counts ?? []));
  const scales = (width: number) => ({
    x: scaleBand({
      domain: bars.map(({ key }) => key),
      range: [MARGIN.left, width - MARGIN.right],
      paddingInner: bars.length > width / 8 ? 0 : LARGEST_GAP,
    }),
    y: scaleLinear({ domain: [0, highest], range: [height - MARGIN.bottom, MARGIN.top], nice: 4 }),
  });
  const indexAt = (left: number, width: number) => Math.floor((left - MARGIN.left) / scales(width).x.step());
  const lookAt = (left: number, width: number) => {
    const index = indexAt(left, width);
    setAt(index >= 0 && index < bars.length ? index : null);
  };
  const follow = (left: number, width: number) => {
    const bar = bars[indexAt(left, width)];
    if (bar !== undefined) navigate(linkTo?.(bar) ?? '');
  };
  const stretch = (from: number, to: number, width: number) => {
    const within = (index: number) => bars[Math.min(bars.length - 1, Math.max(0, index))];
    const [first, last] = [within(indexAt(from, width)), within(indexAt(to, width))];
    if (first !== undefined && last !== undefined) onStretch?.(first, last);
  };
  const placeOf = (time: number, width: number) => {
    const { x } = scales(width);
    const begin = bars[0]?.key ?? '';
    return (x(begin) ?? 0) + (x.step() * (time - Date.parse(begin))) / stepMs;
  };
  const looked = at === null ? undefined : bars[at];
  return (
    <ChartFrame
      title={title}
      description={description}
      height={height}
      legend={columns}
      table={{
        headers: ['Time', ...columns.map(({ label }) => label)],
        rows: bars.map(({ label }, index) => [
          label,
          ...columns.map(({ counts }) => formatCount(counts[index] ?? 0)),
        ]),
        ...(linkTo && { links: bars.map(linkTo) }),
      }}
      marks={marks && tableOfMarks(marks)}
      overlay={(width) => (
        <>
          {marks && <TimeMarks {...{ ...marks, width, height }} placeOf={(time) => placeOf(time, width)} />}
          {looked !== undefined && (
            <Readout
              width={width}
              from={scales(width).x(looked.key) ?? 0}
              to={(scales(width).x(looked.key) ?? 0) + scales(width).x.bandwidth()}
              heading={looked.label}
              lines={columns.map(({ label, counts }) => `${label}: ${formatCount(counts[at ?? 0] ?? 0)}`)}
            />
          )}
        </>
      )}
    >
      {(width) => {
        const { x, y } = scales(width);
        const every = Math.max(1, Math.ceil(TICK_PX / Math.max(1, x.step())));
        const ticks = bars.filter((_, index) => index % every === 0);
        const tickOf = new Map(bars.map(({ key, tick }) => [key, tick]));
        return (
          <>
            <Axes
              x={x.copy().domain(bars.map(({ key }) => key))}
              y={y}
              width={width}
              height={height}
              ticksX={ticks.map(({ key }) => key)}
              formatX={(value) => tickOf.get(String(value)) ?? ''}
              isCount
              formatY={(value) => formatCompact(Number(value))}
            />
            {bars.map(({ key, counts }, index) => (
              <g key={key} opacity={at !== null && at !== index ? 0.55 : 1}>
                <StackedCounts
                  {...{ counts, colors, y }}
                  left={x(key) ?? 0}
                  width={Math.max(1, x.bandwidth())}
                />
              </g>
            ))}
            {outline && (
              <CountOutlines
                counts={outline.counts}
                lefts={bars.map(({ key }) => x(key) ?? 0)}
                width={x.bandwidth()}
                y={y}
                color={OUTLINE_COLOR}
              />
            )}
            <PointerArea
              width={width}
              height={height}
              onMove={(left) => lookAt(left, width)}
              onLeave={() => setAt(null)}
              {...(linkTo && { onPress: (left: number) => follow(left, width) })}
              {...(onStretch && { onStretch: (from: number, to: number) => stretch(from, to, width) })}
            />
          </>
        );
      }}
    </ChartFrame>
  );
}
