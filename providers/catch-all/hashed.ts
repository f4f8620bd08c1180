import { createHash } from 'node:crypto';

/** 128 bits, so that the store holds no domain in clear. Whoever suspects a domain can still look for it. */
export function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
