import { didYouMean } from '../../config/did-you-mean.ts';
import { CannotRun } from '../cannot-run.ts';

/** Which columns of a file go on, and which of them holds the address. */
export interface Columns {
  readonly email: string;
  readonly kept: readonly string[];
}

/** A column of that name in any spelling: `E-Mail`, `EMAIL`. */
const EMAIL = 'email';
/** Else the only one that has this in its name: `email_address`, `Mailadresse`, `customer_email`. */
const MAIL = 'mail';

/**
 * The columns as wanted (`--columns E-Mail,id`: the address's first, and if others follow only those are kept),
 * else all of them with the address's found by its name. Throws CannotRun when it is not clear which that is.
 */
export function chooseColumns(names: readonly string[], wanted: readonly string[], file: string): Columns {
  const chosen = wanted.map((name) => findColumn(names, name, file));
  const email = chosen[0] ?? findEmailColumn(names);
  if (email === undefined) {
    throw new CannotRun(
      `${file}: which column holds the address? --columns names it; there are ${names.join(', ')}`,
    );
  }
  return { email, kept: chosen.length > 1 ? chosen : names };
}

/** Undefined when no name tells. */
export function findEmailColumn(names: readonly string[]): string | undefined {
  const plain = new Map(names.map((name) => [name, name.toLowerCase().replace(/[^\p{L}]/gu, '')]));
  const exact = names.filter((name) => plain.get(name) === EMAIL);
  if (exact.length > 0) return exact.length === 1 ? exact[0] : undefined;
  const similar = names.filter((name) => plain.get(name)?.includes(MAIL));
  if (similar.length === 1) return similar[0];
  return names.length === 1 ? names[0] : undefined;
}

function findColumn(names: readonly string[], wanted: string, file: string): string {
  const found =
    names.find((name) => name === wanted) ??
    names.find((name) => name.trim().toLowerCase() === wanted.toLowerCase());
  if (found !== undefined) return found;
  throw new CannotRun(
    `${file}: there is no column "${wanted}"${didYouMean(wanted, names)}; there are ${names.join(', ')}`,
  );
}
