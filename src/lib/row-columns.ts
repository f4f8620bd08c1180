import { RowFileFault } from '../errors.ts';
import { didYouMean } from './did-you-mean.ts';

/** A column of that name in any spelling: `E-Mail`, `EMAIL`. */
const EMAIL = 'email';
/** Else the only column with this in its name: `email_address`, `Mailadresse`, `customer_email`. */
const MAIL = 'mail';

/**
 * The column of that name, in any case. Throws RowFileFault, with the nearest name, when there is none. With `isOpen` one that is like
 * none of them is taken as it is written: later lines of JSON may have what the first has not.
 */
export function findColumn(names: readonly string[], wanted: string, file: string, isOpen = false): string {
  const found =
    names.find((name) => name === wanted) ??
    names.find((name) => name.trim().toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  // No suggestion for a number: every number is close to every other.
  const hint = /\d$/.test(wanted) ? '' : didYouMean(wanted, names);
  if (isOpen && hint === '' && !/^\d+$/.test(wanted)) return wanted;
  throw new RowFileFault(`${file}: there is no column "${wanted}"${hint}; there are ${names.join(', ')}`);
}

interface WantedColumns {
  readonly wanted: readonly string[];
  readonly file: string;
  readonly isOpen?: boolean;
  /** What each wanted column holds; where it is left out, any number may be wanted. */
  readonly meanings?: readonly string[];
}

/** The wanted columns (`--columns`), as `findColumn` finds each. Throws RowFileFault, too, for one that is named twice and for too many. */
export function findColumns(
  names: readonly string[],
  { wanted, file, isOpen, meanings }: WantedColumns,
): readonly string[] {
  if (meanings && wanted.length > meanings.length) {
    const places = `${meanings.length} at most: ${meanings.join(', ')}`;
    throw new RowFileFault(`${file}: --columns names ${wanted.length} columns, and takes ${places}`);
  }
  const found = wanted.map((name) => findColumn(names, name, file, isOpen));
  const twice = found.find((name, place) => found.indexOf(name) < place);
  if (twice !== undefined) throw new RowFileFault(`${file}: --columns names "${twice}" twice`);
  return found;
}

/** The column of the address: by its name, or the only one there is. Undefined when neither tells. */
export function findEmailColumn(names: readonly string[]): string | undefined {
  return findColumnNamedEmail(names) ?? (names.length === 1 ? names[0] : undefined);
}

/** The column of the address, by its name alone. */
export function findColumnNamedEmail(names: readonly string[]): string | undefined {
  const exact = namedLike(names, EMAIL);
  if (exact.length > 0) return exact.length === 1 ? exact[0] : undefined;
  const similar = names.filter((name) => lettersOf(name).includes(MAIL));
  return similar.length === 1 ? similar[0] : undefined;
}

/** The names whose letters alone are `letters`: `Check-ID` and `check_id` are `checkid`. */
export function namedLike(names: readonly string[], letters: string): readonly string[] {
  return names.filter((name) => lettersOf(name) === letters);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}]/gu, '');
}

/**
 * Decides whether the first record of a CSV file is a header. Returns the names of the columns, each once, so that they can be members of
 * an object, and `wanted` in those names. `isThere` is false when the record is a row already: columns are wanted by number, or none are
 * wanted and exactly one cell of the record has an @. The columns are then called `column_1` and so on.
 */
export function readHeader(cells: readonly string[], wanted: readonly string[]) {
  const names = unique(cells.map((cell, index) => cell.trim() || `column_${index + 1}`));
  const isByNumber =
    wanted.length > 0 && wanted.every((name) => /^\d{1,4}$/.test(name) && !names.includes(name));
  const address = wanted.length === 0 ? cells.findIndex((cell) => cell.includes('@')) : -1;
  if (!isByNumber && (address === -1 || cells.findLastIndex((cell) => cell.includes('@')) !== address)) {
    return { names, wanted, isThere: true };
  }
  return {
    names: cells.map((_, index) => `column_${index + 1}`),
    wanted: (isByNumber ? wanted : [String(address + 1)]).map((number) => `column_${Number(number)}`),
    isThere: false,
  };
}

/** A name that stands twice gets `_2` the second time. */
function unique(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let time = 2; taken.has(free); time++) free = `${name}_${time}`;
    taken.add(free);
    return free;
  });
}
