import { readAddress } from '../email/read-address.ts';
import { listKey } from '../provider-kit/index.ts';

/**
 * Whoever denies `j.doe+1@googlemail.com` means the mailbox, not a way to write it: an entry that is an
 * address stands for its canonical form, as every address that it is compared with.
 */
export function canonicalEntry(value: string): string {
  if (!value.includes('@')) return value;
  const reading = readAddress(value);
  return reading.ok ? reading.address.canonical.address : value;
}

/** Entries of one key fit the same addresses, however each is written. */
export function entryKey(value: string): string {
  return listKey(canonicalEntry(value));
}
