import { chooseColumns } from './columns.ts';
import { guessDelimiter } from './delimiter.ts';
import { readHeader } from './header.ts';
import type { InputRow, InputTable, ReadingOptions } from './input-table.ts';
import { type CsvRecord, readCsvRecords } from './read-csv-records.ts';
import type { Line } from './read-lines.ts';

/** Throws CannotRun when it is not clear which column holds the address. */
export async function readCsv(
  lines: AsyncIterator<Line>,
  { name, wanted }: ReadingOptions,
): Promise<InputTable> {
  let first = await lines.next();
  while (!first.done && first.value.text === '') first = await lines.next();
  if (first.done) return { columns: [], delimiter: ',', rows: none() };

  const delimiter = guessDelimiter(first.value.text ?? '');
  const records = readCsvRecords(again(first.value, lines), delimiter);
  const head = (await records.next()).value;
  const cells: readonly string[] = head?.cells ?? [];
  const header = readHeader(cells, wanted);
  const columns = chooseColumns(header.names, header.wanted, name);
  const rows = header.isThere || !head ? records : again<CsvRecord>(head, records);
  return { columns: columns.kept, delimiter, rows: rowsOf(rows, header.names, columns) };
}

async function* rowsOf(
  records: AsyncIterable<CsvRecord>,
  names: readonly string[],
  { email, kept }: ReturnType<typeof chooseColumns>,
): AsyncGenerator<InputRow> {
  const places = kept.map((column) => [column, names.indexOf(column)] as const);
  const emailAt = names.indexOf(email);
  for await (const { line, cells, broken } of records) {
    const values = Object.fromEntries(places.map(([column, place]) => [column, cells[place] ?? '']));
    yield { line, values, email: broken === null ? (cells[emailAt] ?? null) : null, broken };
  }
}

/** With one put back that was taken out to be looked at. */
async function* again<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* none(): AsyncGenerator<never> {}
