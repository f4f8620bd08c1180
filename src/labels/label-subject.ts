import { readAddress } from '../email/read-address.ts';
import type { LabelSubject } from '../storage/label-store.ts';

/** What `chk_…` cannot be: an address has an @ sign. */
const CHECK_ID = /^chk_[^@]*$/;

export function isCheckId(text: string): boolean {
  return CHECK_ID.test(text);
}

/** The check of the id, or whoever has the address in any of its forms. A text says why it is neither. */
export function readSubject(text: string, hmac: (canonicalAddress: string) => string): LabelSubject | string {
  if (isCheckId(text)) return { checkId: text };
  const reading = readAddress(text);
  if (!reading.ok) return `it is no address: ${reading.refusal.message}`;
  return { addressHmac: hmac(reading.address.canonical.address) };
}
