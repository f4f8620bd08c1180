import { extname } from 'node:path';

/** A row of a file, whatever its format. */
export interface Row {
  /** The line that it begins with, from 1. */
  readonly line: number;
  /** By the names of columns. Of a broken line of CSV what lies between delimiters, of JSONL nothing. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Why the line could not be read; null when it could. */
  readonly broken: string | null;
}

/** What stands in a column of a row; null where there is nothing, or no such column. */
export function memberOf({ values }: Pick<Row, 'values'>, name: string | null): unknown {
  return name !== null && Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}

/** A file that is being read. */
export interface RowTable {
  /** Of the columns, as the header or the first object has them; null where there is no line that tells. */
  readonly names: readonly string[] | null;
  /** The columns asked for, as they are called here: a file without a header has `column_1` for 1. */
  readonly wanted: readonly string[];
  /** Between cells; null where it is no CSV. */
  readonly delimiter: string | null;
  readonly rows: AsyncIterable<Row>;
}

/** What a reader must know besides the lines. */
export interface ReadingOptions {
  /** Of the file, for complaints. */
  readonly name: string;
  /** Columns by name, or by number where the file has no header. */
  readonly wanted: readonly string[];
  /** Numbers of JSON are kept as they are written, for rows that are written again. */
  readonly exactNumbers?: boolean;
}

/** A file of rows that cannot be made sense of as a whole. The message names it and says what to do. */
export class RowFileFault extends Error {
  override readonly name = 'RowFileFault';
}

export const FORMATS = ['csv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
};

/** By the end of the file's name; undefined when that tells nothing. */
export function formatOf(file: string | undefined): Format | undefined {
  return file === undefined ? undefined : EXTENSIONS[extname(file).toLowerCase()];
}

/** What the name of a CSV file says about what stands between its cells; undefined when that tells nothing. */
export function delimiterOf(file: string | undefined): string | undefined {
  return file !== undefined && extname(file).toLowerCase() === '.tsv' ? '\t' : undefined;
}

/** The signs that make a formula, their full-width twins that some spreadsheets take too, and control characters. */
const RISKY = /^[=+\-@＝＋－＠\p{Cc}]/u;

/** A cell that a spreadsheet would run stays text: https://owasp.org/www-community/attacks/CSV_Injection */
export function guardCell(text: string): string {
  return RISKY.test(text) ? `'${text}` : text;
}
