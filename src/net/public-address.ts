import ipaddr from 'ipaddr.js';

/** What IANA hands out of IPv6 (RFC 4291, section 2.4; the registry of global unicast space). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Can this address be a server of the public Internet? Everything that `ipaddr.js` knows a special use of is none:
 * private, loopback, link-local, CGNAT, ULA, NAT64, multicast, documentation. IPv4-mapped ones count as what they map.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}
