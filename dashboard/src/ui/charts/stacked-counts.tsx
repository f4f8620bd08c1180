interface Props {
  /** From below. */
  readonly counts: readonly number[];
  /** CSS colours, one for each count. */
  readonly colors: readonly string[];
  readonly left: number;
  readonly width: number;
  readonly y: (value: number) => number;
}

/** Stacked counts. */
export function StackedCounts({ counts, colors, left, width, y }: Props) {
  return counts.map((count, index) => {
    const below = sumOf(counts.slice(0, index));
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
  });
}

/** The least that the tallest is drawn as, so that a chart of nothing has an axis. */
const LEAST = 1;

export function tallestOf(stacks: readonly { readonly counts: readonly number[] }[]): number {
  return Math.max(LEAST, ...stacks.map(({ counts }) => sumOf(counts)));
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
