/** A row of a file, whatever its format. */
export interface InputRow {
  /** The line that it begins with, from 1. */
  readonly line: number;
  /** What is kept of it, by the names of columns. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Null where there is none. */
  readonly email: string | null;
  /** Why the line could not be read; null when it could. */
  readonly broken: string | null;
}

/** A file that is being read. */
export interface InputTable {
  /** What is kept, as the first row has it. */
  readonly columns: readonly string[];
  /** Between cells; null where it is no CSV. */
  readonly delimiter: string | null;
  readonly rows: AsyncIterable<InputRow>;
}

/** What a reader must know besides the lines. */
export interface ReadingOptions {
  /** Of the file, for complaints. */
  readonly name: string;
  /** `--columns`: the address's, then those that are kept; none for all. */
  readonly wanted: readonly string[];
}
