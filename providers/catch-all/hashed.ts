import { hash } from 'node:crypto';

/** A hash of 132 bits, so that the store holds no domain in clear. A domain that is guessed can still be looked for. */
export function hashed(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
