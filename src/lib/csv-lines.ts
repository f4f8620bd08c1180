import { stringify } from 'csv-stringify/sync';
import { guardCell } from './row-file.ts';

/** Rows of CSV whose cells no spreadsheet runs. */
export function linesOfCsv(rows: readonly (readonly string[])[]): string {
  // Some programs end a line at a lone CR.
  return stringify(
    rows.map((row) => row.map(guardCell)),
    { quoted_match: /\r/ },
  );
}
