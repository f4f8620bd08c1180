import { scaleLinear, scaleSqrt } from '@visx/scale';
import { useNavigateInAccount } from '../../account-in-view.ts';
import { formatCompact, formatCount } from '../../format/numbers.ts';
import { type ChartColor, colorsOf } from '../../palette.ts';
import { Axes, MARGIN } from './axes.tsx';
import { ChartFrame } from './chart-frame.tsx';
import classes from './charts.module.css';
import { StackedCounts, tallestOf } from './stacked-counts.tsx';
import { ThresholdHandle } from './threshold-handle.tsx';

export interface Bin {
  /** Where the bin begins. */
  readonly from: number;
  /** Where the next bin begins. */
  readonly to: number;
  /** One for each of `parts`. */
  readonly counts: readonly number[];
}

export interface Threshold {
  readonly id: string;
  readonly label: string;
  readonly value: number;
}

interface Props {
  readonly title: string;
  readonly description: string;
  readonly bins: readonly Bin[];
  /** What is counted: one kind, or several that are stacked, from below. */
  readonly parts: readonly { readonly label: string; readonly color?: ChartColor }[];
  readonly thresholds?: readonly Threshold[];
  /** Called with the new value. Makes the lines movable, by pointer and by arrow keys, in whole steps. */
  readonly onThresholdChange?: (id: string, value: number) => void;
  readonly height?: number;
  /** Heights grow with the square root of the counts, so that a few are seen beside thousands. */
  readonly isSquareRoot?: boolean;
  /** Where a bin leads: the checks in it. */
  readonly linkTo?: (bin: Bin) => string;
}

/** Counts by value, with a line at each threshold. */
export function Histogram(props: Props) {
  const { title, description, bins, parts, thresholds = [], onThresholdChange, height = 240 } = props;
  const { isSquareRoot = false, linkTo } = props;
  const navigate = useNavigateInAccount();
  const colors = colorsOf(parts);
  const [lowest, top] = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1];
  const rows = rowsOf(thresholds, (top - lowest) * CLOSE);
  const above = (Math.max(-1, ...rows.values()) + 1) * LABEL_PX;
  const scales = (width: number) => ({
    x: scaleLinear({ domain: [lowest, top], range: [MARGIN.left, width - MARGIN.right] }),
    y: (isSquareRoot ? scaleSqrt : scaleLinear)({
      domain: [0, tallestOf(bins)],
      range: [height - MARGIN.bottom, MARGIN.top + above],
      nice: 4,
    }),
  });
  return (
    <ChartFrame
      title={title}
      description={description}
      height={height}
      legend={parts.map(({ label }, index) => ({ label, color: colors[index] ?? '' }))}
      table={{
        headers: ['Range', ...parts.map(({ label }) => label)],
        rows: bins.map(({ from, to, counts }) => [`${from} – ${to}`, ...counts.map(formatCount)]),
        ...(linkTo && { links: bins.map(linkTo) }),
      }}
      overlay={(width) =>
        onThresholdChange &&
        thresholds.map(({ id, label, value }) => (
          <ThresholdHandle
            key={id}
            label={label}
            value={value}
            bounds={[lowest, top]}
            scale={scales(width).x}
            {...partOf(id, rows, { from: MARGIN.top, to: height - MARGIN.bottom })}
            onChange={(next) => onThresholdChange(id, next)}
          />
        ))
      }
    >
      {(width) => {
        const { x, y } = scales(width);
        return (
          <>
            <Axes
              x={x}
              y={y}
              width={width}
              height={height}
              isCount
              formatY={(value) => formatCompact(Number(value))}
            />
            {bins.map((bin) => {
              const { from, to, counts } = bin;
              const place = { left: x(from), width: Math.max(1, x(to) - x(from) - 1) };
              return (
                <g key={from}>
                  <StackedCounts {...{ counts, colors, y }} {...place} />
                  {/* By keyboard the links of the table lead to the same. */}
                  {linkTo && counts.some((count) => count > 0) && (
                    // biome-ignore lint/a11y/noStaticElementInteractions: the table has the same as links
                    <rect
                      {...{ x: place.left, width: place.width, y: MARGIN.top }}
                      height={height - MARGIN.top - MARGIN.bottom}
                      className={classes.bar}
                      data-bar={from}
                      onClick={() => navigate(linkTo(bin))}
                    />
                  )}
                </g>
              );
            })}
            {thresholds.map(({ id, label, value }) => (
              <g key={id}>
                <line
                  x1={x(value)}
                  x2={x(value)}
                  y1={MARGIN.top + ((rows.get(id) ?? 0) + 1) * LABEL_PX - 2}
                  y2={height - MARGIN.bottom}
                  stroke="var(--chart-threshold)"
                  strokeWidth={1.5}
                  strokeDasharray="4 3"
                />
                <text
                  x={x(value)}
                  y={MARGIN.top + 8 + (rows.get(id) ?? 0) * LABEL_PX}
                  fontSize={11}
                  fontWeight={600}
                  fill="var(--mantine-color-text)"
                  textAnchor={x(value) > width - END_PX ? 'end' : 'middle'}
                >
                  {`${label} ${value}`}
                </text>
              </g>
            ))}
          </>
        );
      }}
    </ChartFrame>
  );
}

const LABEL_PX = 16;
/** A centred label nearer to the right edge than this would be cut off. */
const END_PX = 60;
/** At phone width labels need a quarter of the width to fit side by side. */
const CLOSE = 0.25;

/** The row of each threshold's label: labels closer than `close` get different rows, 0 on top. */
function rowsOf(thresholds: readonly Threshold[], close: number): ReadonlyMap<string, number> {
  const placed: { readonly value: number; readonly row: number }[] = [];
  const entries = thresholds
    .toSorted((a, b) => a.value - b.value)
    .map(({ id, value }): [string, number] => {
      const taken = placed.filter((other) => value - other.value < close).map(({ row }) => row);
      const row =
        [0, ...taken.map((one) => one + 1)].toSorted((a, b) => a - b).find((one) => !taken.includes(one)) ??
        0;
      placed.push({ value, row });
      return [id, row];
    });
  return new Map(entries);
}

/** Handles share the height by the row of their label, so that those of close lines can each be grabbed. */
function partOf(
  id: string,
  rows: ReadonlyMap<string, number>,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly top: number; readonly height: number } {
  const count = Math.max(...rows.values()) + 1;
  const height = (to - from) / count;
  return { top: from + (rows.get(id) ?? 0) * height, height };
}
