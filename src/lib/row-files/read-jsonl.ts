import { parseExactly } from './parse-exactly.ts';
import type { Line } from './read-lines.ts';
import { RowFileFault } from './row-file-fault.ts';
import type { ReadingOptions, Row, RowTable } from './row-table.ts';

/** So many lines that are no objects are looked at before the file is taken for something else. */
const MOST_BROKEN_AT_FIRST = 1_000;

/** One JSON object on each line. */
export async function readJsonl(
  lines: AsyncIterator<Line>,
  { name, wanted, exactNumbers = false }: ReadingOptions,
): Promise<RowTable> {
  const read = (line: Line) => rowOf(line, exactNumbers ? parseExactly : JSON.parse);
  const ahead: Row[] = [];
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    if (isBlank(next.value)) continue;
    const row = read(next.value);
    ahead.push(row);
    if (row.broken === null) {
      return { names: Object.keys(row.values), wanted, delimiter: null, rows: rowsOf(ahead, lines, read) };
    }
    if (ahead.length === MOST_BROKEN_AT_FIRST) {
      throw new RowFileFault(
        `${name}: the first ${ahead.length} lines are no JSON objects; is it of another format?`,
      );
    }
  }
  return { names: null, wanted, delimiter: null, rows: rowsOf(ahead, lines, read) };
}

async function* rowsOf(
  ahead: readonly Row[],
  lines: AsyncIterator<Line>,
  read: (line: Line) => Row,
): AsyncGenerator<Row> {
  for (const row of ahead) yield row;
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    if (!isBlank(next.value)) yield read(next.value);
  }
}

function isBlank({ text }: Line): boolean {
  return text?.trim() === '';
}

type Parse = (text: string) => unknown;

function rowOf(line: Line, parse: Parse): Row {
  const values = parseObject(line, parse);
  return { line: line.number, values: values ?? {}, broken: values === undefined ? reasonOf(line) : null };
}

function reasonOf({ text, isForeign }: Line): string {
  if (text === null) return 'the line is too long';
  return isForeign ? 'the line is not UTF-8' : 'the line is no JSON object';
}

function parseObject({ text, isForeign }: Line, parse: Parse): Row['values'] | undefined {
  if (isForeign) return undefined;
  try {
    const value = parse(text ?? '');
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // JSON.parse makes plain objects with members of its own, whatever they are called.
    return isObject ? (value as Row['values']) : undefined;
  } catch {
    return undefined;
  }
}
