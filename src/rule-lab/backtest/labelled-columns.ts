import { findColumn, findEmailColumn, namedLike } from '../../lib/row-columns.ts';
import { RowFileFault, type RowTable } from '../../lib/row-file.ts';

/** Which columns of a file of signups hold what. */
export interface CaseColumns {
  /** Null where the rows have facts instead. */
  readonly email: string | null;
  /** Null where there are no labels. */
  readonly label: string | null;
  /** Null in CSV, whose cells are text. */
  readonly facts: string | null;
}

const LABEL = 'label';
const FACTS = 'facts';

/**
 * The columns as wanted, the address's first and the label's second, else by their names. Later lines of JSON may have
 * a label that the first has not. Throws RowFileFault when no column holds the address, and none the facts.
 */
export function chooseCaseColumns({ names, wanted, delimiter }: RowTable, file: string): CaseColumns {
  const isJson = delimiter === null;
  if (names === null) return { email: null, label: null, facts: null };
  const [wantedEmail, wantedLabel] = wanted.map((name) => findColumn(names, name, file));
  const label = wantedLabel ?? namedLike(names, LABEL)[0] ?? (isJson ? LABEL : null);
  const others = names.filter((name) => name !== label);
  const email = wantedEmail ?? findEmailColumn(others) ?? null;
  if (email === null && !(isJson && names.includes(FACTS))) {
    throw new RowFileFault(
      `${file}: which column holds the address? --columns names it, then the label's; there are ${names.join(', ')}`,
    );
  }
  return { email, label, facts: isJson ? FACTS : null };
}
