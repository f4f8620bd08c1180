/**
 * Top-level names that public DNS never holds: RFC 6761 sections 6.3 (localhost) and 6.4 (invalid), RFC 7686
 * (onion). `.test` and `.example` are asked, because private zones use them to try things out.
 */
const NEVER_IN_DNS = new Set(['localhost', 'invalid', 'onion']);

/** Names that are answered NXDOMAIN without a packet: no dot, an address literal, or reserved. */
export function isNeverAsked(name: string): boolean {
  if (!name.includes('.') || name.startsWith('[')) return true;
  return NEVER_IN_DNS.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

/** RFC 6761 section 6.3: address questions about localhost are answered with the loopback addresses. */
export function isLocalhost(name: string): boolean {
  return /^(?:.+\.)?localhost$/i.test(name);
}

export const LOOPBACK = ['127.0.0.1', '::1'] as const;
