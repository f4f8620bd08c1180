import type { Format } from './format.ts';
import { readCsv } from './read-csv.ts';
import { readJsonl } from './read-jsonl.ts';
import { readLines } from './read-lines.ts';
import type { ReadingOptions, RowTable } from './row-table.ts';

/** Reads as far as the names of the columns, then row by row as they are asked for. Throws RowFileFault. */
export function readRows(
  format: Format,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadingOptions,
): Promise<RowTable> {
  const lines = readLines(chunks);
  return format === 'csv' ? readCsv(lines, options) : readJsonl(lines, options);
}
