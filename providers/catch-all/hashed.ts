import { createHash } from 'node:crypto';

/** 128 bits, so that the store holds no domain in clear. A domain that is guessed can still be looked for. */
export function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
