import { findColumn, findEmailColumn } from '../../lib/row-files/columns.ts';
import { RowFileFault } from '../../lib/row-files/row-file-fault.ts';

/** Which columns of a file go on, and which of them holds the address. */
export interface Columns {
  readonly email: string;
  readonly kept: readonly string[];
}

/**
 * The columns as wanted (`--columns E-Mail,id`: the address's first, and if others follow only those are kept),
 * else all of them with the address's found by its name. Throws RowFileFault when it is not clear which that is.
 */
export function chooseColumns(names: readonly string[], wanted: readonly string[], file: string): Columns {
  const chosen = wanted.map((name) => findColumn(names, name, file));
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
