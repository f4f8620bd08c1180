import { CannotRun } from '../cannot-run.ts';
import { type Columns, chooseColumns } from './columns.ts';
import type { InputRow, InputTable, ReadingOptions } from './input-table.ts';
import type { Line } from './read-lines.ts';

/** So many lines that are no objects are looked at before the file is taken for something else. */
const MOST_BROKEN_AT_FIRST = 1_000;

type Members = Readonly<Record<string, unknown>>;

/** One JSON object on each line. Throws CannotRun when it is not clear which member is the address. */
export async function readJsonl(
  lines: AsyncIterator<Line>,
  { name, wanted }: ReadingOptions,
): Promise<InputTable> {
  const ahead: Line[] = [];
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    ahead.push(next.value);
    const members = parseObject(next.value.text);
    if (members !== undefined) {
      const columns = chooseColumns(Object.keys(members), wanted, name);
      // All of each line, also what the first has not.
      const kept = wanted.length > 1 ? columns.kept : null;
      return {
        columns: columns.kept,
        delimiter: null,
        rows: rowsOf(ahead, lines, { email: columns.email, kept }),
      };
    }
    if (ahead.length === MOST_BROKEN_AT_FIRST) {
      throw new CannotRun(
        `${name}: the first ${ahead.length} lines are no JSON objects; is it of another format?`,
      );
    }
  }
  return { columns: [], delimiter: null, rows: rowsOf(ahead, lines, { email: '', kept: null }) };
}

async function* rowsOf(
  ahead: readonly Line[],
  lines: AsyncIterator<Line>,
  columns: Pick<Columns, 'email'> & { readonly kept: readonly string[] | null },
): AsyncGenerator<InputRow> {
  for (const line of ahead) if (line.text?.trim() !== '') yield rowOf(line, columns);
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    if (next.value.text?.trim() !== '') yield rowOf(next.value, columns);
  }
}

function rowOf(
  { number: line, text }: Line,
  { email, kept }: { readonly email: string; readonly kept: readonly string[] | null },
): InputRow {
  const members = parseObject(text);
  if (members === undefined) {
    const broken = text === null ? 'the line is too long' : 'the line is no JSON object';
    return { line, values: {}, email: null, broken };
  }
  const address = Object.hasOwn(members, email) ? members[email] : undefined;
  const values =
    kept === null
      ? members
      : Object.fromEntries(kept.map((name) => [name, Object.hasOwn(members, name) ? members[name] : null]));
  return { line, values, email: typeof address === 'string' ? address : null, broken: null };
}

function parseObject(text: string | null): Members | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    // JSON.parse makes plain objects with members of its own, whatever they are called.
    return isObject ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
}
