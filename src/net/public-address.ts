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
  // The full form only: 0177.1 is 127.0.0.1 to some.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === 'unicast';
  // A zone, as in fe80::1%eth0, is of this machine alone.
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

/** There are addresses, and none that may be connected to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/**
 * The addresses of a URL's host that may be connected to; those of private networks, of this machine and the like
 * are left out: or the owner of a name could send requests into the operator's own network. Rejects where there is none.
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

/** A look-up that answers these addresses and no others: what was checked is what is connected to. */
export function answering(addresses: readonly string[]): LookupFunction {
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) => {
    const [first] = records;
    if (all || !first) callback(null, records);
    else callback(null, first.address, first.family);
  };
}

/**
 * The one of a host's addresses to connect to: undefined where none may be. The same each time, however DNS turns its
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
 * One client: an IPv4 address, also where it came mapped into IPv6; of IPv6 the /64, which is the least that a subscriber is
 * given (RFC 6177) and all of which is theirs to send from.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const ip = ipaddr.process(address);
  if (ip.kind() === 'ipv4') return ip.toString();
  return ip.toByteArray().slice(0, 8).join('.');
}
