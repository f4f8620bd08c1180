import { wilson } from '../../src/lib/statistics.ts';
import type { Metric } from './metric.ts';

const HEAD = ['signal: on what', 'rows', 'who', 'count', '%', '95 % interval', 'beside Postern'];
const IS_NUMBER = [false, true, false, true, true, true, false];

/** Contestants whose name starts with this are Postern itself and not compared with it. */
const OURS = 'Postern';

/** One Markdown table, padded so that it is readable in a terminal too. */
export function resultTable(signals: ReadonlyMap<string, readonly Metric[]>): string {
  const rows = [...signals].flatMap(([signal, metrics]) =>
    metrics.flatMap((metric) => rowsOf(signal, metric)),
  );
  const widths = HEAD.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, IS_NUMBER[column] === true)).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    IS_NUMBER[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [line(HEAD), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}

function rowsOf(signal: string, { what, wanted, of, hits }: Metric): string[][] {
  const [ours = 0] = hits.values();
  return [...hits].map(([who, count], index) => {
    const [low, high] = wilson(count, of);
    return [
      index === 0 ? `${signal}: ${what} ${wanted === 'high' ? '↑' : '↓'}` : '',
      index === 0 ? String(of) : '',
      who,
      String(count),
      percent(count / of),
      `${percent(low)} to ${percent(high)}`,
      who.startsWith(OURS) ? '' : compare([low, high], wilson(ours, of), wanted),
    ];
  });
}

type Interval = readonly [low: number, high: number];

/** The empty text where the two intervals overlap. */
function compare(theirs: Interval, ours: Interval, wanted: Metric['wanted']): '' | 'better' | 'worse' {
  const isAbove = theirs[0] > ours[1];
  const isBelow = theirs[1] < ours[0];
  if (!isAbove && !isBelow) return '';
  return isAbove === (wanted === 'high') ? 'better' : 'worse';
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function pad(text: string, width: number, isNumber: boolean): string {
  return isNumber ? text.padStart(width) : text.padEnd(width);
}
