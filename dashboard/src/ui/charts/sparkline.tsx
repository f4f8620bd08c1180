import { scaleLinear } from '@visx/scale';
import { LinePath } from '@visx/shape';
import { type ChartColor, cssColor } from '../../palette.ts';

interface Props {
  /** What it shows, and how it went: "Checks per day, rising". */
  readonly label: string;
  readonly values: readonly number[];
  readonly color?: ChartColor;
}

const WIDTH = 96;
const HEIGHT = 28;

/** The course of a figure, without axes; beside a figure that says how high it is. */
export function Sparkline({ label, values, color = 'chart-1' }: Props) {
  const x = scaleLinear({ domain: [0, Math.max(1, values.length - 1)], range: [1, WIDTH - 1] });
  const y = scaleLinear({ domain: [0, Math.max(1, ...values)], range: [HEIGHT - 2, 2] });
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label} style={{ flex: 'none' }}>
      <LinePath
        data={[...values.keys()]}
        x={(index) => x(index)}
        y={(index) => y(values[index] ?? 0)}
        stroke={cssColor(color)}
        strokeWidth={1.5}
      />
    </svg>
  );
}
