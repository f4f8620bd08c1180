/**
 * Where the checks of a person are looked for: by an index that begins with blocks of checks recorded about the same time
 * (0015-blocks-of-checks.ts), so in each of these, which takes twenty milliseconds for a million checks.
 */

/** A block is begun about every so many rows, by the next commit: four pages of the index. */
export const BLOCK_ROWS = 256;

/** As `FROM` has it: the rows `c` of each block `b`. */
export const CHECKS_BY_BLOCK = 'check_blocks b CROSS JOIN check_rows c INDEXED BY checks_by_person';

/** What the index has of an address's hash: 64 bits tell all people apart that a database will hold, but nobody relies on it. */
export function startOf(addressHmac: string): string {
  return `substr(${addressHmac}, 1, 16)`;
}

/** Finds those of a person by the index alone. */
export function startAs(addressHmac: string): string {
  return `c.block = b.block AND ${startOf('c.address_hmac')} = ${startOf(addressHmac)}`;
}

/** As `FROM` has it: the checks `c` of the person whose hash the SQL `addressHmac` is. */
export function checksOf(addressHmac: string): string {
  return `${CHECKS_BY_BLOCK} ON ${startAs(addressHmac)} AND c.address_hmac = ${addressHmac}`;
}
