import { didYouMean } from '../../app/config/did-you-mean.ts';
import { RowFileFault } from './row-file-fault.ts';

/** A column of that name in any spelling: `E-Mail`, `EMAIL`. */
const EMAIL = 'email';
/** Else the only one that has this in its name: `email_address`, `Mailadresse`, `customer_email`. */
const MAIL = 'mail';

/** The column of that name, in any case. Throws RowFileFault, with the nearest name, when there is none. */
export function findColumn(names: readonly string[], wanted: string, file: string): string {
  const found =
    names.find((name) => name === wanted) ??
    names.find((name) => name.trim().toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  // A number is near to every other.
  const hint = /\d$/.test(wanted) ? '' : didYouMean(wanted, names);
  throw new RowFileFault(`${file}: there is no column "${wanted}"${hint}; there are ${names.join(', ')}`);
}

/** The column of the address: by its name, or the only one there is. Undefined when that tells nothing. */
export function findEmailColumn(names: readonly string[]): string | undefined {
  return findColumnNamedEmail(names) ?? (names.length === 1 ? names[0] : undefined);
}

/** The same by the name alone. */
export function findColumnNamedEmail(names: readonly string[]): string | undefined {
  const exact = namedLike(names, EMAIL);
  if (exact.length > 0) return exact.length === 1 ? exact[0] : undefined;
  const similar = names.filter((name) => lettersOf(name).includes(MAIL));
  return similar.length === 1 ? similar[0] : undefined;
}

/** Those whose letters alone are `letters`: `Check-ID` and `check_id` are `checkid`. */
export function namedLike(names: readonly string[], letters: string): readonly string[] {
  return names.filter((name) => lettersOf(name) === letters);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}]/gu, '');
}
