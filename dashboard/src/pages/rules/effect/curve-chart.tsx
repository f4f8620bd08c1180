import { Text } from '@mantine/core';
import { scaleLinear } from '@visx/scale';
import { LinePath } from '@visx/shape';
import { cssColor } from '../../../palette.ts';
import { Axes, MARGIN } from '../../../ui/charts/axes.tsx';
import { ChartFrame } from '../../../ui/charts/chart-frame.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import type { CurvePoint } from './curve-points.ts';

interface Props {
  readonly title: string;
  readonly description: string;
  /** What the axes count. */
  readonly x: string;
  readonly y: string;
  readonly curves: { readonly base: readonly CurvePoint[]; readonly candidate: readonly CurvePoint[] };
  /** The threshold that is marked; null for none. */
  readonly marked: number | null;
  readonly format: (value: number) => string;
  readonly formatX?: (value: number) => string;
  /** On the axes, where there is little room. */
  readonly formatTick: (value: number) => string;
}

const HEIGHT = 220;
const SERIES = [
  { side: 'base', label: 'In force', color: cssColor('chart-5'), dash: '5 4' },
  { side: 'candidate', label: 'This text', color: cssColor('chart-1'), dash: undefined },
] as const;
/** A row for every tenth threshold is enough to read. */
const EVERY = 10;

/** A curve over thresholds, of the text and of what is in force. */
export function CurveChart({ title, description, x, y, curves, marked, format, formatX, formatTick }: Props) {
  const all = [...curves.base, ...curves.candidate];
  const highest = Math.max(...all.map((point) => point.x), 1e-9);
  const top = Math.max(...all.map((point) => point.y), 1e-9);
  const mark = curves.candidate.find(({ threshold }) => threshold === marked);
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Dimmed mb="xs">{description}</Dimmed>
      <Dimmed mb={4} aria-hidden>
        ↑ {y}, → {x}
      </Dimmed>
      <ChartFrame
        title={title}
        description={description}
        height={HEIGHT}
        legend={SERIES.map(({ label, color }) => ({ label, color }))}
        table={{
          headers: ['BLOCK from', x, y],
          rows: curves.candidate
            .filter(({ threshold }) => threshold % EVERY === 0 || threshold === marked)
            .map((point) => [String(point.threshold), (formatX ?? format)(point.x), format(point.y)]),
        }}
      >
        {(width) => {
          const scales = {
            x: scaleLinear({ domain: [0, highest], range: [MARGIN.left, width - MARGIN.right] }),
            y: scaleLinear({ domain: [0, top], range: [HEIGHT - MARGIN.bottom, MARGIN.top], nice: 4 }),
          };
          return (
            <>
              <Axes
                {...scales}
                width={width}
                height={HEIGHT}
                formatX={(value) => (formatX ?? formatTick)(Number(value))}
                formatY={(value) => formatTick(Number(value))}
              />
              {SERIES.map(({ side, color, dash }) => (
                <LinePath
                  key={side}
                  data={[...curves[side]]}
                  x={(point) => scales.x(point.x)}
                  y={(point) => scales.y(point.y)}
                  stroke={color}
                  strokeWidth={1.75}
                  strokeDasharray={dash}
                  strokeLinejoin="round"
                />
              ))}
              {mark && (
                <>
                  <circle cx={scales.x(mark.x)} cy={scales.y(mark.y)} r={4.5} fill="var(--chart-threshold)" />
                  <text
                    x={scales.x(mark.x)}
                    // Below the mark in the upper half, where a good curve runs, otherwise above it.
                    y={scales.y(mark.y) + (mark.y > top / 2 ? 18 : -9)}
                    fontSize={11}
                    fontWeight={600}
                    fill="var(--mantine-color-text)"
                    textAnchor={scales.x(mark.x) > width / 2 ? 'end' : 'start'}
                  >
                    {`BLOCK from ${mark.threshold}`}
                  </text>
                </>
              )}
            </>
          );
        }}
      </ChartFrame>
    </div>
  );
}
