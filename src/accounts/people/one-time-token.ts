import { hash, randomBytes } from 'node:crypto';

/** 256 bits: nobody guesses one, however often. */
const TOKEN_BYTES = 32;

export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** What is stored of it. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** In the fragment, which no browser sends: it stands in no log. */
export function linkPath(token: string): string {
  return `/setup#${token}`;
}
