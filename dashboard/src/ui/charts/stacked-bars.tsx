import { scaleBand, scaleLinear } from '@visx/scale';
import { type PointerEvent, useState } from 'react';
import { formatCompact, formatCount } from '../../format/numbers.ts';
import { type ChartColor, cssColor, SERIES_COLORS } from '../../palette.ts';
import { Axes, MARGIN } from './axes.tsx';
import { ChartFrame } from './chart-frame.tsx';
import classes from './charts.module.css';

export interface StackedBar {
  /** Unique, and in order. */
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
}

const TICK_PX = 72;
const LARGEST_GAP = 0.25;

/** Counts of periods, each made of its parts. */
export function StackedBars({ title, description, bars, parts, height = 240 }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const colors = parts.map(({ color }, index) => cssColor(color ?? SERIES_COLORS[index] ?? 'chart-1'));
  const tallest = Math.max(1, ...bars.map(({ counts }) => sum(counts)));
  const scales = (width: number) => ({
    x: scaleBand({
      domain: bars.map(({ key }) => key),
      range: [MARGIN.left, width - MARGIN.right],
      paddingInner: bars.length > width / 8 ? 0 : LARGEST_GAP,
    }),
    y: scaleLinear({ domain: [0, tallest], range: [height - MARGIN.bottom, MARGIN.top], nice: 4 }),
  });
  const lookAt = (event: PointerEvent<Element>, width: number) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const { x } = scales(width);
    const index = Math.floor((left - MARGIN.left) / x.step());
    setAt(index >= 0 && index < bars.length ? index : null);
  };
  const looked = at === null ? undefined : bars[at];
  return (
    <ChartFrame
      title={title}
      description={description}
      height={height}
      legend={parts.map(({ label }, index) => ({ label, color: colors[index] ?? '' }))}
      table={{
        headers: ['Time', ...parts.map(({ label }) => label)],
        rows: bars.map(({ label, counts }) => [label, ...counts.map(formatCount)]),
      }}
      overlay={(width) => {
        if (looked === undefined) return null;
        const left = scales(width).x(looked.key) ?? 0;
        const side = left > width / 2 ? { right: width - left + 4 } : { left: left + scales(width).x.step() };
        return (
          <div className={classes.tooltip} style={{ top: MARGIN.top, ...side }} aria-hidden>
            <strong>{looked.label}</strong>
            {parts.map(({ label }, index) => (
              <div key={label}>{`${label}: ${formatCount(looked.counts[index] ?? 0)}`}</div>
            ))}
          </div>
        );
      }}
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
              formatY={(value) => formatCompact(Number(value))}
            />
            {bars.map(({ key, counts }, index) => (
              <Stack
                key={key}
                counts={counts}
                colors={colors}
                left={x(key) ?? 0}
                width={Math.max(1, x.bandwidth())}
                y={y}
                isDim={at !== null && at !== index}
              />
            ))}
            <rect
              width={width}
              height={height}
              fill="transparent"
              onPointerMove={(event) => lookAt(event, width)}
              onPointerLeave={() => setAt(null)}
            />
          </>
        );
      }}
    </ChartFrame>
  );
}

interface StackProps {
  readonly counts: readonly number[];
  readonly colors: readonly string[];
  readonly left: number;
  readonly width: number;
  readonly y: (value: number) => number;
  readonly isDim: boolean;
}

function Stack({ counts, colors, left, width, y, isDim }: StackProps) {
  return (
    <g opacity={isDim ? 0.55 : 1}>
      {counts.map((count, index) => {
        const below = sum(counts.slice(0, index));
        return count > 0 ? (
          <rect
            key={colors[index]}
            x={left}
            width={width}
            y={y(below + count)}
            // One check among 100,000 is still there to be seen.
            height={Math.max(1, y(below) - y(below + count))}
            fill={colors[index]}
          />
        ) : null;
      })}
    </g>
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
