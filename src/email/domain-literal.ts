import ipaddr from 'ipaddr.js';
import type { SyntaxFault } from '../provider-kit/index.ts';
import { CLOSE_SQUARE } from './characters.ts';
import { skipCfws } from './comment.ts';
import type { Domain } from './domain.ts';
import { type Refusal, refuse, unclean } from './faults.ts';
import type { Source } from './source.ts';

/**
 * Reads `[192.0.2.1]` and `[IPv6:2001:db8::1]` (RFC 5321, 4.1.3). The value is in lower case with the IPv6 address
 * in its one short form (RFC 5952), so that one host has one spelling. Other tags are not registered.
 */
export function readDomainLiteral(
  source: Source,
  from: number,
  to: number,
  faults: SyntaxFault[],
): Domain | Refusal {
  const { codes, offset } = source;
  const close = codes.indexOf(CLOSE_SQUARE, from);
  if (close === -1 || close >= to) return refuse('unclosed_literal', from + offset);
  const content = String.fromCodePoint(...codes.slice(from + 1, close)).toLowerCase();
  const value = literalValue(content);
  if (value === null) return refuse('literal_address', from + 1 + offset);
  faults.push(unclean('domain_literal', from + offset));
  const after = skipCfws(source, close + 1, to, faults);
  if (typeof after !== 'number') return after;
  if (after < to) return refuse('domain_character', after + offset);
  return { value, kind: 'literal', octets: Math.max(value.length, content.length + 2) };
}

function literalValue(content: string): string | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(content)) return `[${ipaddr.IPv4.parse(content).toString()}]`;
  if (!content.startsWith('ipv6:')) return null;
  const address = content.slice('ipv6:'.length);
  // A zone (`%eth0`) has a meaning on one host only (RFC 4007, 11.2).
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return null;
  return `[ipv6:${ipaddr.IPv6.parse(inHexadecimal(address)).toRFC5952String()}]`;
}

/** `::1.2.3.4` as `::102:304` (RFC 4291, 2.2): the parser takes the former, a deprecated form, for `::ffff:1.2.3.4`, another host. */
function inHexadecimal(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}
