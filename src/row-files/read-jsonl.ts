import { parseExactly } from './parse-exactly.ts';
import type { Line } from './read-lines.ts';
import { RowFileFault } from './row-file-fault.ts';
import type { ReadingOptions, Row, RowTable } from './row-table.ts';

/** So many lines that are no objects are looked at before the file is taken for something else. */
const MOST_BROKEN_AT_FIRST = 1_000;

type Parse = (text: string) => unknown;

/** One JSON object on each line. */
export async function readJsonl(
  lines: AsyncIterator<Line>,
  { name, wanted, exactNumbers = false }: ReadingOptions,
): Promise<RowTable> {
  const parse = exactNumbers ? parseExactly : JSON.parse;
  const ahead: Line[] = [];
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    ahead.push(next.value);
    const members = parseObject(next.value, parse);
    if (members !== undefined) {
      return { names: Object.keys(members), wanted, delimiter: null, rows: rowsOf(ahead, lines, parse) };
    }
    if (ahead.length === MOST_BROKEN_AT_FIRST) {
      throw new RowFileFault(
        `${name}: the first ${ahead.length} lines are no JSON objects; is it of another format?`,
      );
    }
  }
  return { names: null, wanted, delimiter: null, rows: rowsOf(ahead, lines, parse) };
}

async function* rowsOf(
  ahead: readonly Line[],
  lines: AsyncIterator<Line>,
  parse: Parse,
): AsyncGenerator<Row> {
  for (const line of ahead) if (line.text?.trim() !== '') yield rowOf(line, parse);
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    if (next.value.text?.trim() !== '') yield rowOf(next.value, parse);
  }
}

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
