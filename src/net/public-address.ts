import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to one host of the public Internet. Everything with a purpose of its own is refused: private,
 * loopback, link-local, carrier-grade NAT, unique local, multicast, documentation, and every IPv6 form that stands for an
 * IPv4 address (mapped, NAT64, 6to4, Teredo), because whoever translates it may do so into a private network. IPv6 is
 * public in 2000::/3 alone (RFC 4291 section 2.4 and IANA's registry).
 */
export function isPublicAddress(text: string): boolean {
  // The full form only: 0177.1 is 127.0.0.1 to some.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === 'unicast';
  // A zone, as in fe80::1%eth0, is of this machine alone.
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
