import { stringify } from 'csv-stringify/sync';

/** The signs that make a formula, their full-width twins that some spreadsheets take too, and control characters. */
const RISKY = /^[=+\-@＝＋－＠\p{Cc}]/u;

/** Rows of CSV, each cell as text: a `'` goes before a formula, https://owasp.org/www-community/attacks/CSV_Injection */
export function linesOfCsv(rows: readonly (readonly string[])[], delimiter = ','): string {
  // A cell with a CR is quoted: some programs end a line at a lone CR.
  return stringify(
    rows.map((row) => row.map((cell) => (RISKY.test(cell) ? `'${cell}` : cell))),
    { delimiter, quoted_match: /\r/ },
  );
}
