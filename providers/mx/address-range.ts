import ipaddr from 'ipaddr.js';

/**
 * Ranges, as `ipaddr.js` names them, that no mail can be delivered to from outside: RFC 1918 (private), RFC 6598
 * (carrierGradeNat), RFC 3927 and 4291 (linkLocal), RFC 4193 (uniqueLocal), and RFC 6052's NAT64 prefix, which
 * stands for an IPv4 address that the A records show anyway. Addresses kept for documentation are not among them.
 */
const UNREACHABLE = new Set([
  'private',
  'carrierGradeNat',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'unspecified',
  'broadcast',
  'multicast',
  'rfc6052',
]);

/** Can the whole world connect to this address? IPv4-mapped addresses count as what they map. */
export function isReachable(address: string): boolean {
  return ipaddr.isValid(address) && !UNREACHABLE.has(ipaddr.process(address).range());
}

/**
 * Can an MX record name this? RFC 5321 section 5.1 wants a host name: neither the root nor an address. `localhost` is refused too: some domains
 * say by it that they take no mail (RFC 7505 section 1), and it is the asking machine. An address has its full dotted form: `10.1` may be a name.
 */
export function isHostName(exchange: string): boolean {
  const text = exchange.replace(/^\[(?:IPv6:)?(.*)\]$/i, '$1');
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return exchange !== '' && !isAddress && !/(^|\.)localhost$/i.test(exchange);
}
