import { type ChartColor, cssColor } from '../../palette.ts';

interface Props {
  /** What the line shows, and how it went: "Checks per day, rising". */
  readonly label: string;
  readonly values: readonly number[];
  readonly color?: ChartColor;
}

const WIDTH = 96;
const HEIGHT = 28;

/** The course of a figure as a line without axes, beside the figure. Plain SVG: a chart library would be loaded before the figures. */
export function Sparkline({ label, values, color = 'chart-1' }: Props) {
  const across = (WIDTH - 2) / Math.max(1, values.length - 1);
  const up = (HEIGHT - 4) / Math.max(1, ...values);
  const points = values.map((value, index) => `${1 + index * across},${HEIGHT - 2 - value * up}`).join(' ');
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} style={{ flex: 'none' }}>
      <polyline points={points} fill="none" stroke={cssColor(color)} strokeWidth={1.5} />
    </svg>
  );
}
