import ipaddr from 'ipaddr.js';

/**
 * One client: an IPv4 address, also where it came mapped into IPv6; of IPv6 the /64, which is the least
 * that a subscriber is given (RFC 6177) and all of which is theirs to send from.
 */
export function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (ip.kind() === 'ipv4') return ip.toString();
  return ip.toByteArray().slice(0, 8).join('.');
}
