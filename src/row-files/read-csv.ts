import { guessDelimiter } from './delimiter.ts';
import { readHeader } from './header.ts';
import { type CsvRecord, readCsvRecords } from './read-csv-records.ts';
import type { Line } from './read-lines.ts';
import type { ReadingOptions, Row, RowTable } from './row-table.ts';

export async function readCsv(
  lines: AsyncIterator<Line>,
  { wanted }: Pick<ReadingOptions, 'wanted'>,
): Promise<RowTable> {
  let first = await lines.next();
  while (!first.done && first.value.text === '') first = await lines.next();
  if (first.done) return { names: null, wanted, delimiter: ',', rows: none() };

  const delimiter = guessDelimiter(first.value.text ?? '');
  const records = readCsvRecords(again(first.value, lines), delimiter);
  const head = (await records.next()).value;
  const header = readHeader(head?.cells ?? [], wanted);
  const rows = header.isThere || !head ? records : again<CsvRecord>(head, records);
  return { names: header.names, wanted: header.wanted, delimiter, rows: rowsOf(rows, header.names) };
}

async function* rowsOf(records: AsyncIterable<CsvRecord>, names: readonly string[]): AsyncGenerator<Row> {
  for await (const { line, cells, broken } of records) {
    const values = Object.fromEntries(names.map((name, place) => [name, cells[place] ?? '']));
    yield { line, values, broken };
  }
}

/** With one put back that was taken out to be looked at. */
async function* again<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* none(): AsyncGenerator<never> {}
