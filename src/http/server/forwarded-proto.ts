import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a proxy says that the client spoke HTTPS to it, in `X-Forwarded-Proto` or `Forwarded` (RFC 7239); schemes are
 * caseless (RFC 3986, 3.1). The last value rules, for the nearest proxy wrote it. Where both headers speak, both must say so:
 * a proxy that sets one of them passes the client's own other one on.
 */
export function saysHttps(headers: IncomingHttpHeaders): boolean {
  const legacy = [headers['x-forwarded-proto'] ?? []].flat().join(',');
  const claims = [
    headers['x-forwarded-proto'] === undefined ? undefined : legacy.slice(legacy.lastIndexOf(',') + 1).trim(),
    headers.forwarded === undefined ? undefined : protoOf(headers.forwarded),
  ].filter((claim) => claim !== undefined);
  return claims.length > 0 && claims.every((claim) => claim.toLowerCase() === 'https');
}

/** RFC 7239, section 4: `for=192.0.2.1;proto=https, for="[2001:db8::1]"`; one pair and what follows it. */
const PAIR = /[ \t]*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[\w!#$%&'*+.^`|~-]+)[ \t]*([;,]|$)/y;

/** The last element's `proto`; undefined when it names none, `malformed` when quotes would let a client forge it. */
function protoOf(header: string): string | undefined {
  let proto: string | undefined;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < header.length) {
    const [, name, value = '', end] = PAIR.exec(header) ?? [];
    if (name === undefined) return 'malformed';
    if (name.toLowerCase() === 'proto') {
      if (proto !== undefined) return 'malformed';
      proto = value.replace(/^"(.*)"$/, '$1');
    }
    if (end === ',') proto = undefined;
  }
  return proto;
}
