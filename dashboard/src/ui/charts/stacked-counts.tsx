import { sumOf } from '../../format/numbers.ts';

interface Props {
  /** From below. */
  readonly counts: readonly number[];
  /** CSS colours, one for each count. */
  readonly colors: readonly string[];
  readonly left: number;
  readonly width: number;
  readonly y: (value: number) => number;
}

export function StackedCounts({ counts, colors, left, width, y }: Props) {
  return counts.map((count, index) => {
    const below = sumOf(counts.slice(0, index));
    return count > 0 ? (
      <rect
        key={colors[index]}
        x={left}
        width={width}
        y={y(below + count)}
        // At least 1 px: one check among 100,000 stays visible.
        height={Math.max(1, y(below) - y(below + count))}
        fill={colors[index]}
      />
    ) : null;
  });
}

/** The least height of the axis, so that a chart without counts has one. */
const LEAST = 1;

export function tallestOf(stacks: readonly { readonly counts: readonly number[] }[]): number {
  return Math.max(LEAST, ...stacks.map(({ counts }) => sumOf(counts)));
}
