import { AxisBottom, AxisLeft } from '@visx/axis';
import { GridRows } from '@visx/grid';
import type { ComponentProps } from 'react';
import { ticksOf } from './ticks.ts';

export const MARGIN = { top: 8, right: 12, bottom: 24, left: 44 } as const;

const LABEL = { fontFamily: 'inherit', fontSize: 11, fill: 'var(--mantine-color-dimmed)' } as const;
const LINE = 'var(--chart-grid)';

type Scale = ComponentProps<typeof AxisLeft>['scale'];

interface Props {
  readonly x: ComponentProps<typeof AxisBottom>['scale'];
  readonly y: Scale;
  readonly width: number;
  readonly height: number;
  /** Values of the x axis that get a label; by default the scale chooses. */
  readonly ticksX?: readonly string[];
  readonly formatX?: (value: unknown) => string;
  readonly formatY?: (value: unknown) => string;
  /** Counts: no label between two whole numbers, which would read as one of them. */
  readonly isCount?: boolean;
}

/** The lines behind the marks, and the labels around them: few, so that they stay apart at phone width. */
export function Axes({ x, y, width, height, ticksX, formatX, formatY, isCount = false }: Props) {
  const rows = ticksOf(y, isCount);
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  return (
    <>
      <GridRows scale={y} left={MARGIN.left} width={inner.width} tickValues={rows} stroke={LINE} />
      <AxisLeft
        scale={y}
        left={MARGIN.left}
        tickValues={rows}
        hideAxisLine
        hideTicks
        {...(formatY && { tickFormat: formatY })}
        tickLabelProps={{ ...LABEL, textAnchor: 'end', verticalAnchor: 'middle', dx: -4 }}
      />
      <AxisBottom
        scale={x}
        top={height - MARGIN.bottom}
        numTicks={Math.max(2, Math.floor(inner.width / 90))}
        stroke={LINE}
        hideTicks
        {...(ticksX && { tickValues: [...ticksX] })}
        {...(formatX && { tickFormat: formatX })}
        tickLabelProps={{ ...LABEL, textAnchor: 'middle', dy: 4 }}
      />
    </>
  );
}
