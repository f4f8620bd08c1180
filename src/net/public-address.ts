import { isIP, isIPv4, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { DnsResolver } from '../provider-kit/index.ts';

/**
 * Whether an address belongs to one host of the public Internet. Everything with a purpose of its own is refused: private,
 * loopback, link-local, carrier-grade NAT, unique local, multicast, documentation, and every IPv6 form that stands for an
 * IPv4 address (mapped, NAT64, 6to4, Teredo), because a translator may map it into a private network. IPv6 is
 * public in 2000::/3 alone (RFC 4291 section 2.4 and IANA's registry).
 */
export function isPublicAddress(text: string): boolean {
  // Four decimal parts only: some parsers read 0177.1 as 127.0.0.1.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === 'unicast';
  // An address with a zone, such as fe80::1%eth0, is valid on this machine alone.
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export interface AddressCheck {
  readonly dns: DnsResolver;
  /** For tests: a server on loopback. */
  readonly allowPrivateAddresses: boolean;
}

/** The host has addresses, but none that may be connected to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * The addresses of a URL's host that may be connected to. Addresses that are not public are left out: otherwise the owner
 * of a name could send requests into the operator's own network. Rejects where DNS has none, or none is left.
 */
export async function addressesOf(
  hostname: string,
  { dns, allowPrivateAddresses }: AddressCheck,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  let found: readonly string[] = [literal];
  if (isIP(literal) === 0) {
    const answer = await dns.addresses(hostname, signal);
    if (answer.outcome !== 'found') throw new Error(`DNS has no address of ${hostname}: ${answer.outcome}`);
    found = answer.records;
  }
  const addresses = allowPrivateAddresses ? found : found.filter(isPublicAddress);
  if (addresses.length > 0) return addresses;
  throw new AddressRefused(`${hostname} is at no public address (${found.join(', ')})`);
}

/** A look-up function that returns only these addresses, so that the connection goes to an address that was checked. */
export function answering(addresses: readonly string[]): LookupFunction {
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) => {
    const [first] = records;
    if (all || !first) callback(null, records);
    else callback(null, first.address, first.family);
  };
}

/**
 * Picks the address to connect to; undefined where none is allowed. The choice is the same whatever the order of the
 * records; IPv4 first, because mail hosts trust few senders over IPv6.
 */
export function chooseAddress(records: readonly string[], allowPrivate: boolean): string | undefined {
  const allowed = allowPrivate ? records : records.filter(isPublicAddress);
  const [chosen] = allowed.toSorted(
    (one, other) => Number(isIPv4(other)) - Number(isIPv4(one)) || (one < other ? -1 : 1),
  );
  return chosen;
}

/**
 * The key that stands for one client: an IPv4 address, also if mapped into IPv6; of an IPv6 address the /64, the least that a
 * subscriber is given (RFC 6177), who can send from any address in it. A text that is no address is returned as it is.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (ip.kind() === 'ipv4') return ip.toString();
  return ip.toByteArray().slice(0, 8).join('.');
}
