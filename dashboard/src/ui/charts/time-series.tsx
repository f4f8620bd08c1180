import { scaleLinear, scaleUtc } from '@visx/scale';
import { AreaClosed, LinePath } from '@visx/shape';
import { useState } from 'react';
import { formatCompact } from '../../format/numbers.ts';
import { formatInstant, formatTick } from '../../format/times.ts';
import { type ChartColor, colorsOf } from '../../palette.ts';
import { Axes, MARGIN } from './axes.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { nearestIndex } from './nearest.ts';
import { PointerArea } from './pointer-area.tsx';
import { Readout } from './readout.tsx';
import { type ChartMarks, TimeMarks, tableOfMarks } from './time-marks.tsx';

export interface Series {
  readonly label: string;
  /** One for each instant; null where nothing is known, and the line has a gap. */
  readonly values: readonly (number | null)[];
  readonly color?: ChartColor;
}

interface Props {
  readonly title: string;
  readonly description: string;
  /** ISO 8601, in order. */
  readonly instants: readonly string[];
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  /** The figures are whole numbers. */
  readonly isCount?: boolean;
  readonly height?: number;
  readonly marks?: ChartMarks;
  /** Called with the first and the last instant of a stretch that was drawn over the chart. */
  readonly onStretch?: (first: string, last: string) => void;
}

/** Figures over time as lines; below a single series the area is filled. */
export function TimeSeries({
  title,
  description,
  instants,
  series,
  format = formatCompact,
  isCount = false,
  height = 220,
  marks,
  onStretch,
}: Props) {
  const [at, setAt] = useState<number | null>(null);
  const times = instants.map((instant) => Date.parse(instant));
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const colors = colorsOf(series);
  const colored = series.map((one, index) => ({ ...one, css: colors[index] ?? '' }));
  const highest = Math.max(0, ...series.flatMap(({ values }) => values.filter((value) => value !== null)));
  const scales = (width: number) => ({
    x: scaleUtc({
      domain: [times[0] ?? 0, times.at(-1) ?? 1],
      range: [MARGIN.left, width - MARGIN.right],
    }),
    y: scaleLinear({ domain: [0, highest || 1], range: [height - MARGIN.bottom, MARGIN.top], nice: 4 }),
  });
  const indexAt = (left: number, width: number) =>
    nearestIndex(times, scales(width).x.invert(left).getTime());
  const stretch = (from: number, to: number, width: number) => {
    const [first, last] = [indexAt(from, width), indexAt(to, width)].map((index) => instants[index ?? -1]);
    if (first !== undefined && last !== undefined) onStretch?.(first, last);
  };
  return (
    <ChartFrame
      title={title}
      description={description}
      height={height}
      legend={colored.map(({ label, css }) => ({ label, color: css }))}
      table={{
        headers: ['Time', ...series.map(({ label }) => label)],
        rows: instants.map((instant, index) => [
          formatInstant(instant),
          ...series.map(({ values }) => textOf(values[index], format)),
        ]),
      }}
      marks={marks && tableOfMarks(marks)}
      overlay={(width) => (
        <>
          {marks && (
            <TimeMarks
              {...{ ...marks, width, height }}
              // A mark within the last period lies beyond that period's point: it stays inside the chart.
              placeOf={(time) => Math.min(width - MARGIN.right, scales(width).x(time))}
            />
          )}
          {at !== null && (
            <Readout
              from={scales(width).x(times[at] ?? 0)}
              to={scales(width).x(times[at] ?? 0)}
              width={width}
              heading={formatInstant(times[at] ?? 0)}
              lines={colored.map(({ label, values }) => `${label}: ${textOf(values[at], format)}`)}
            />
          )}
        </>
      )}
    >
      {(width) => {
        const { x, y } = scales(width);
        const points = times.map((_, index) => index);
        const place = (index: number) => x(times[index] ?? 0);
        return (
          <>
            <Axes
              x={x}
              y={y}
              width={width}
              height={height}
              formatX={(value) => (value instanceof Date ? formatTick(value, spanMs) : '')}
              isCount={isCount}
              formatY={(value) => format(Number(value))}
            />
            {colored.map(({ label, values, css }) => {
              const shape = {
                data: points,
                x: place,
                y: (index: number) => y(values[index] ?? 0),
                defined: (index: number) => values[index] !== null && values[index] !== undefined,
              };
              return (
                <g key={label}>
                  {colored.length === 1 && <AreaClosed {...shape} yScale={y} fill={css} fillOpacity={0.12} />}
                  <LinePath {...shape} stroke={css} strokeWidth={1.75} strokeLinejoin="round" />
                </g>
              );
            })}
            {at !== null && (
              <line
                x1={place(at)}
                x2={place(at)}
                y1={MARGIN.top}
                y2={height - MARGIN.bottom}
                stroke="var(--chart-threshold)"
                strokeOpacity={0.4}
              />
            )}
            <PointerArea
              width={width}
              height={height}
              onMove={(left) => setAt(indexAt(left, width))}
              onLeave={() => setAt(null)}
              {...(onStretch && { onStretch: (from: number, to: number) => stretch(from, to, width) })}
            />
          </>
        );
      }}
    </ChartFrame>
  );
}

function textOf(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value);
}
