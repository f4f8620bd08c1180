import { MARGIN } from './axes.tsx';
import classes from './charts.module.css';

interface Props {
  /** The left and right edge of the marks that it is about, in pixels. */
  readonly from: number;
  readonly to: number;
  /** The width of the whole chart. */
  readonly width: number;
  readonly heading: string;
  readonly lines: readonly string[];
}

const GAP_PX = 6;

/** The figures under the pointer, on the side with more room. Hidden from screen readers: the table has them. */
export function Readout({ from, to, width, heading, lines }: Props) {
  const side = from > width / 2 ? { right: width - from + GAP_PX } : { left: to + GAP_PX };
  return (
    <div className={classes.tooltip} style={{ top: MARGIN.top, ...side }} aria-hidden>
      <strong>{heading}</strong>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  );
}
