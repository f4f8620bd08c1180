interface Props {
  /** One for each bar. */
  readonly counts: readonly number[];
  readonly lefts: readonly number[];
  readonly width: number;
  readonly y: (value: number) => number;
  readonly color: string;
}

/** Outlines over the bars of a chart, as high as the counts that it is compared with. */
export function CountOutlines({ counts, lefts, width, y, color }: Props) {
  return counts.map((count, index) =>
    count > 0 ? (
      <rect
        key={lefts[index]}
        x={lefts[index]}
        width={Math.max(1, width)}
        y={y(count)}
        height={y(0) - y(count)}
        fill="none"
        stroke={color}
      />
    ) : null,
  );
}
