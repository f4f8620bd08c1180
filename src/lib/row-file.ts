import { extname } from 'node:path';
import { counted, whole } from './statistics.ts';

/** A row of a file, whatever its format. */
export interface Row {
  /** The line that it begins with, from 1. */
  readonly line: number;
  /** By the names of columns. A broken line of CSV has the texts between its delimiters, a broken line of JSONL nothing. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Why the line could not be read; null when it could. */
  readonly broken: string | null;
}

/** The value in a column of a row; null where there is none, or no such column. */
export function memberOf({ values }: Pick<Row, 'values'>, name: string | null): unknown {
  return name !== null && Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}

/** A file that is being read. */
export interface RowTable {
  /** The names of the columns, from the header or the first object; null where no line has them. */
  readonly names: readonly string[] | null;
  /** The wanted columns, by their names here: a file without a header has `column_1` for 1. */
  readonly wanted: readonly string[];
  /** Between cells; null where it is no CSV. */
  readonly delimiter: string | null;
  readonly rows: AsyncIterable<Row>;
}

export interface RowSource {
  /** For complaints. */
  readonly name: string;
  readonly format: Format;
  /** Between the cells of CSV; found by the first lines when absent. */
  readonly delimiter?: string | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

export interface ReadingOptions {
  /** Columns by name, or by number where the file has no header. */
  readonly wanted: readonly string[];
  /** Numbers of JSON are kept as they are written, for rows that are written again. */
  readonly exactNumbers?: boolean;
}

export const FORMATS = ['csv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
};

/** The format, by the end of the file's name; undefined when that tells nothing. */
export function formatOf(file: string | undefined): Format | undefined {
  return file === undefined ? undefined : EXTENSIONS[extname(file).toLowerCase()];
}

/** The delimiter, by the end of a CSV file's name; undefined when that tells nothing. */
export function delimiterOf(file: string | undefined): string | undefined {
  return file !== undefined && extname(file).toLowerCase() === '.tsv' ? '\t' : undefined;
}

const MOST_LINES = 1_000;
/** Reasons quote values: if the wrong column is read, every row may have a reason of its own. */
const MOST_REASONS = 100;
/** Lines that are told to a person, for each reason. */
const LINES_SHOWN = 10;

/** Collects the faults in the rows of a file, by reason: one word that is not understood may stand in a thousand rows. */
export class RowFaults {
  readonly #byReason = new Map<string, { rows: number; readonly lines: number[] }>();
  #count = 0;

  add(line: number, reason: string): void {
    this.#count += 1;
    const known = this.#byReason.get(reason);
    if (known) {
      known.rows += 1;
      if (known.lines.length < MOST_LINES) known.lines.push(line);
    } else if (this.#byReason.size < MOST_REASONS) this.#byReason.set(reason, { rows: 1, lines: [line] });
  }

  /** Rows with a fault. */
  get count(): number {
    return this.#count;
  }

  /** In the order in which they were found, each with the first `MOST_LINES` lines: more line numbers are of no use. */
  get all() {
    return [...this.#byReason].map(([reason, { rows, lines }]) => ({ reason, rows, lines }));
  }

  /** `users.csv:17 …` for each reason, then how many rows are left untold. */
  describe(name: string): readonly string[] {
    const untold = this.#count - this.all.reduce((sum, { rows }) => sum + rows, 0);
    return [
      ...this.all.map((fault) => `${name}:${fault.lines[0]} ${fault.reason}${describeOthers(fault)}`),
      ...(untold > 0 ? [`${name}: ${counted(untold, 'row')} more, for other reasons`] : []),
    ];
  }
}

function describeOthers({ rows, lines }: RowFaults['all'][number]): string {
  if (rows === 1) return '';
  const others = lines.slice(1, LINES_SHOWN + 1);
  const more = rows - 1 - others.length;
  const tail = more > 0 ? ` and ${whole(more)} more` : '';
  return ` (so ${others.length === 1 && more === 0 ? 'is line' : 'are lines'} ${others.join(', ')}${tail})`;
}
