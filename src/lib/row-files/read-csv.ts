import { guessDelimiter } from './delimiter.ts';
import { readHeader } from './header.ts';
import { type CsvRecord, readCsvRecords } from './read-csv-records.ts';
import type { Line } from './read-lines.ts';
import { RowFileFault } from './row-file-fault.ts';
import type { ReadingOptions, Row, RowTable } from './row-table.ts';

/** Throws RowFileFault when the line that names the columns cannot be read. */
export async function readCsv(
  lines: AsyncIterator<Line>,
  { name, wanted }: Pick<ReadingOptions, 'name' | 'wanted'>,
): Promise<RowTable> {
  let first = await lines.next();
  while (!first.done && first.value.text === '') first = await lines.next();
  if (first.done) return { names: null, wanted, delimiter: ',', rows: none() };

  // Taken for one line, the whole file would be a header.
  if (first.value.text?.includes('\r')) {
    throw new RowFileFault(
      `${name}:${first.value.number} has a CR inside: lines end with LF or CRLF; \`tr '\\r' '\\n'\` makes LF of CR`,
    );
  }
  const delimiter = guessDelimiter(first.value.text ?? '');
  const records = readCsvRecords(again(first.value, lines), delimiter);
  const head = (await records.next()).value;
  const header = readHeader(head?.cells ?? [], wanted);
  if (head?.broken && header.isThere) {
    throw new RowFileFault(`${name}:${head.line} ${head.broken}, and names the columns`);
  }
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
