import { memberOf, type Row, type RowTable } from '../../lib/row-files/row-table.ts';
import { chooseColumns } from './columns.ts';

/** A row to answer. */
export interface InputRow extends Row {
  /** Null where there is none. */
  readonly email: string | null;
}

export interface InputRows {
  /** What is kept, as the first row has it. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<InputRow>;
}

/** The rows with their addresses, and of the rest what is kept. Throws RowFileFault when it is not clear which column holds the address. */
export function inputRowsOf(table: RowTable, file: string): InputRows {
  if (table.names === null) return { columns: [], rows: withEmails(table, '', null) };
  const { email, kept } = chooseColumns(table.names, table.wanted, file);
  // All of each line also keeps what the first has not.
  return { columns: kept, rows: withEmails(table, email, kept === table.names ? null : kept) };
}

async function* withEmails(
  { rows, delimiter }: RowTable,
  email: string,
  kept: readonly string[] | null,
): AsyncGenerator<InputRow> {
  for await (const row of rows) {
    const { line, values, broken } = row;
    const address = broken === null ? memberOf(row, email) : null;
    // Of a broken line of JSON there is nothing to keep.
    const isWhole = kept === null || (broken !== null && delimiter === null);
    yield {
      line,
      values: isWhole ? values : pick(row, kept),
      email: typeof address === 'string' ? address : null,
      broken,
    };
  }
}

function pick(row: Row, names: readonly string[]): Row['values'] {
  return Object.fromEntries(names.map((name) => [name, memberOf(row, name)]));
}
