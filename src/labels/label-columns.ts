import { RowFileFault } from '../errors.ts';
import { findColumn, findColumnNamedEmail, findEmailColumn, namedLike } from '../lib/row-columns.ts';
import type { RowTable } from '../lib/row-file.ts';

/** Which columns of a file of labels hold what; null where there is none. */
export interface LabelColumns {
  /** The id of a check; where another thing than `chk_…` stands in it, the address counts. */
  readonly check: string | null;
  readonly email: string | null;
  readonly label: string;
  /** When it was told. */
  readonly toldAt: string | null;
}

const LABEL = 'label';
const MOST_WANTED = 3;

/**
 * The columns as wanted (`--columns E-Mail,verdict,told`: the check's or the address's, the label's, the time's), else by
 * their names. Throws RowFileFault when it is not clear which is which.
 */
export function chooseLabelColumns({ names, wanted, delimiter }: RowTable, file: string): LabelColumns {
  if (names === null) return { check: null, email: null, label: LABEL, toldAt: null };
  if (wanted.length > MOST_WANTED) {
    throw new RowFileFault(
      `--columns names three at most: that of the check or the address, of the label, and of the time`,
    );
  }
  const [subject, wantedLabel, wantedTime] = wanted.map((name) => findColumn(names, name, file));
  // Later lines of JSON may have a label that the first has not.
  const label = wantedLabel ?? namedLike(names, LABEL)[0] ?? (delimiter === null ? LABEL : undefined);
  if (label === undefined) throw new RowFileFault(ask('the label', names, file));
  const toldAt = wantedTime ?? namedLike(names, 'labelledat')[0] ?? null;
  if (subject !== undefined) return { check: subject, email: subject, label, toldAt };
  const check = namedLike(names, 'checkid')[0] ?? namedLike(names, 'id')[0] ?? null;
  const others = names.filter((name) => name !== label && name !== toldAt && name !== check);
  // Beside a check, the one column that is left over need not be an address.
  const email = check === null ? findEmailColumn(others) : findColumnNamedEmail(others);
  if (check === null && email === undefined)
    throw new RowFileFault(ask('the check or the address', names, file));
  return { check, email: email ?? null, label, toldAt };
}

function ask(what: string, names: readonly string[], file: string): string {
  return `${file}: which column holds ${what}? --columns names that of the check or the address, then that of the label; there are ${names.join(', ')}`;
}
