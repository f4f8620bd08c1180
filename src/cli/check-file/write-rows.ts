import { stringify } from 'csv-stringify/sync';
import type { Format } from '../../lib/row-files/format.ts';
import { guardCell } from '../../lib/row-files/guard-cell.ts';
import type { InputRow } from './input-rows.ts';
import { OUTCOME_COLUMNS, type Outcome } from './outcome.ts';

/** Makes the text of an answer, row by row. */
export interface RowWriter {
  /** Above the rows; empty where there is none. */
  readonly head: string;
  /** Rows with something that the first has not, for which there is no column. */
  readonly leftOut: number;
  row(row: InputRow, outcome: Outcome): string;
}

/** Ours keep their names, so that scripts find them; a column of the file that is called like one of them gives way. */
export function createRowWriter(format: Format, columns: readonly string[], delimiter: string): RowWriter {
  return format === 'csv' ? csvWriter(columns, delimiter) : { head: '', leftOut: 0, row: jsonLine };
}

function csvWriter(columns: readonly string[], delimiter: string): RowWriter {
  const line = (cells: readonly string[]) =>
    // Some programs end a line at a lone CR.
    stringify([cells.map(guardCell)], { delimiter, quoted_match: /\r/ });
  const head = [...renamed(columns).values(), ...OUTCOME_COLUMNS];
  const known = new Set(columns);
  let leftOut = 0;
  return {
    head: columns.length === 0 ? '' : line(head),
    get leftOut() {
      return leftOut;
    },
    row: ({ values }, outcome) => {
      if (Object.keys(values).some((name) => !known.has(name))) leftOut += 1;
      return line([
        ...columns.map((column) => cellOf(Object.hasOwn(values, column) ? values[column] : null)),
        ...OUTCOME_COLUMNS.map((column) => cellOf(outcome[column])),
      ]);
    },
  };
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  // Words of a closed alphabet: ids of providers.
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(' ');
  return JSON.stringify(value);
}

function jsonLine({ values }: InputRow, outcome: Outcome): string {
  const names = renamed(Object.keys(values));
  const kept = Object.entries(values).map(([name, value]) => [names.get(name) ?? name, value]);
  return `${JSON.stringify({ ...Object.fromEntries(kept), ...outcome })}\n`;
}

/** By name: what each column is called in the answer. */
function renamed(columns: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>([...columns, ...OUTCOME_COLUMNS]);
  return new Map(
    columns.map((column) => {
      if (!OUTCOME_COLUMNS.some((ours) => ours === column)) return [column, column];
      let free = column;
      while (taken.has(free)) free = `input_${free}`;
      taken.add(free);
      return [column, free];
    }),
  );
}
