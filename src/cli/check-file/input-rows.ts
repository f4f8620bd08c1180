import { createSecretKey, randomBytes } from 'node:crypto';
import type { CheckCounting } from '../../checks/assessor.ts';
import { RowFileFault } from '../../errors.ts';
import { findColumn, findEmailColumn } from '../../lib/row-columns.ts';
import { memberOf, type Row, type RowTable } from '../../lib/row-file.ts';
import { readInstant } from '../../lib/time.ts';
import { InMemoryVelocityCounters } from '../../shared-state/memory/velocity-counters.ts';

/**
 * Which columns of a file go on, and which of them holds the address. The columns as wanted (`--columns E-Mail,id`: the
 * address's first, and if others follow only those are kept), else all of them with the address's found by its name. Throws
 * RowFileFault when it is not clear which that is.
 */
export function chooseColumns(
  names: readonly string[],
  wanted: readonly string[],
  file: string,
  isOpen = false,
) {
  const chosen = wanted.map((name) => findColumn(names, name, file, isOpen));
  const twice = chosen.find((name, place) => chosen.indexOf(name) < place);
  if (twice !== undefined) throw new RowFileFault(`${file}: --columns names "${twice}" twice`);
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
 * The rows with their addresses, and their times where `timed` names the column; of the rest what is kept: `columns`, as the first row has
 * them. Throws RowFileFault when it is not clear which column holds what.
 */
export function inputRowsOf(table: RowTable, file: string, timed?: string) {
  if (table.names === null)
    return { columns: [], rows: withEmails(table, { email: null, time: null }, null) };
  const { email, kept } = chooseColumns(table.names, table.wanted, file, table.delimiter === null);
  const time = timed === undefined ? null : findColumn(table.names, timed, file);
  // All of each line also keeps what the first has not.
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
    // Of a broken line of JSON there is nothing to keep.
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

/** Why a row has no place among the others in time. */
export type TimeFault = 'no_time' | 'time_goes_back';

/** Look-ups of rows run side by side; what is counted is counted in their order. */
export interface CountedRow extends CheckCounting {
  end(): void;
}

/** The rows of a file are the checks of one account, asked with one live key. */
const WHOSE = { accountId: 'file', environment: 'live', keyFamily: 'file' } as const;

/**
 * Counts the rows of a file as the service would have counted them as checks, at the times that they have: each sees the rows before it,
 * and itself. Where there are more than fit into memory, the oldest are forgotten, as in the service.
 */
export class SimulatedCounting {
  readonly #counters = new InMemoryVelocityCounters(createSecretKey(randomBytes(32)));
  /** Settles when all rows that were begun have been counted or ended. */
  #counted: Promise<void> = Promise.resolve();
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Takes a row's place among the others: rows are begun in their order, and each that is begun is ended. */
  begin(time: string | null): CountedRow | TimeFault {
    const instant = readInstant(time?.trim() ?? '');
    if (instant === null) return 'no_time';
    const at = Date.parse(instant);
    if (at < this.#lastMs) return 'time_goes_back';
    this.#lastMs = at;
    const before = this.#counted;
    const over = Promise.withResolvers<void>();
    this.#counted = before.then(() => over.promise);
    return {
      count: async (spelling, counts) => {
        await before;
        const receipt = await this.#counters.count({ ...WHOSE, spelling, at }, counts);
        await receipt.settle();
        over.resolve();
        return receipt.numbers;
      },
      end: over.resolve,
    };
  }
}
