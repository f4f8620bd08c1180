import { createSecretKey, randomBytes } from 'node:crypto';
import type { CheckCounting } from '../../checks/assessor.ts';
import { RowFileFault } from '../../errors.ts';
import { findColumn, findColumns, findEmailColumn } from '../../lib/row-columns.ts';
import { memberOf, type Row, type RowTable } from '../../lib/row-file.ts';
import { readInstant } from '../../lib/time.ts';
import { InMemoryVelocityCounters } from '../../shared-state/memory/velocity-counters.ts';

/**
 * Chooses the column of the address, and the columns to keep in the answer. `wanted` (`--columns E-Mail,id`) names the address's
 * column first; if others follow, only the named columns are kept. Without `wanted` all are kept, and the address's column is found by
 * its name. Throws RowFileFault when it is not clear which column holds the address.
 */
export function chooseColumns(
  names: readonly string[],
  wanted: readonly string[],
  file: string,
  isOpen = false,
) {
  const chosen = findColumns(names, { wanted, file, isOpen });
  const email = chosen[0] ?? findEmailColumn(names);
  if (email === undefined) {
    throw new RowFileFault(
      `${file}: which column holds the address? --columns names it; there are ${names.join(', ')}`,
    );
  }
  return { email, kept: chosen.length > 1 ? chosen : names };
}

/** A row to answer. */
export interface InputRow extends Row {
  /** Null where there is none. */
  readonly email: string | null;
  /** What the column of the times has; null where there is no such column, or no text in it. */
  readonly time: string | null;
}

/**
 * Reads each row's address, its time where `timed` names that column, and the values to keep. `columns` are the kept columns, as the
 * first row names them. Throws RowFileFault when it is not clear which column holds what.
 */
export function inputRowsOf(table: RowTable, file: string, timed?: string) {
  if (table.names === null)
    return { columns: [], rows: withEmails(table, { email: null, time: null }, null) };
  const { email, kept } = chooseColumns(table.names, table.wanted, file, table.delimiter === null);
  const time = timed === undefined ? null : findColumn(table.names, timed, file);
  // Null keeps all of each line, with members that the first line does not have.
  return { columns: kept, rows: withEmails(table, { email, time }, kept === table.names ? null : kept) };
}

async function* withEmails(
  { rows, delimiter }: RowTable,
  columns: Readonly<Record<'email' | 'time', string | null>>,
  kept: readonly string[] | null,
): AsyncGenerator<InputRow> {
  for await (const row of rows) {
    const { line, values, broken } = row;
    const textOf = (column: string | null) => {
      const value = broken === null ? memberOf(row, column) : null;
      return typeof value === 'string' ? value : null;
    };
    // A broken line of JSON has no values to choose from.
    const isWhole = kept === null || (broken !== null && delimiter === null);
    yield {
      line,
      values: isWhole ? values : Object.fromEntries(kept.map((name) => [name, memberOf(row, name)])),
      // Later lines of JSON may have a member that the first has not.
      email: textOf(columns.email) ?? (delimiter === null ? textOf('email') : null),
      time: textOf(columns.time),
      broken,
    };
  }
}

/** The rows of a file are the checks of one account, asked with one live key. */
const WHOSE = { accountId: 'file', environment: 'live', keyFamily: 'file' } as const;

/**
 * Counts the rows of a file as the service would have counted checks at the times of the rows: the counts of a row include the rows
 * before it, and itself. Where more rows come than fit into memory, the oldest are forgotten, as in the service.
 */
export class SimulatedCounting {
  readonly #counters = new InMemoryVelocityCounters(createSecretKey(randomBytes(32)));
  /** Settles when all rows that were begun have been counted or ended. */
  #counted: Promise<void> = Promise.resolve();
  #lastMs = Number.NEGATIVE_INFINITY;

  /**
   * Takes the next place in the order of counting, or says why the row cannot be counted. Look-ups of rows run side by side, but rows are
   * counted in their order: begin rows in their order and end each, as later rows wait until it is counted or ended.
   */
  begin(time: string | null) {
    const instant = readInstant(time?.trim() ?? '');
    if (instant === null) return 'no_time';
    const at = Date.parse(instant);
    if (at < this.#lastMs) return 'time_goes_back';
    this.#lastMs = at;
    const before = this.#counted;
    const over = Promise.withResolvers<void>();
    this.#counted = before.then(() => over.promise);
    const count: CheckCounting['count'] = async (spelling, counts) => {
      await before;
      const receipt = await this.#counters.count({ ...WHOSE, spelling, at }, counts);
      await receipt.settle();
      over.resolve();
      return receipt.numbers;
    };
    return { count, end: over.resolve };
  }
}
