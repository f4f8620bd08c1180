import { isIP, type LookupFunction } from 'node:net';
import type { DnsResolver } from '../provider-kit/index.ts';
import { isPublicAddress } from './public-address.ts';

export interface AddressCheck {
  readonly dns: DnsResolver;
  /** For tests: a server on loopback. */
  readonly allowPrivateAddresses: boolean;
}

export type CheckedAddresses =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/**
 * The addresses of a URL's host that may be connected to; those of private networks, of this machine and the like
 * are left out, or whoever can set a name's address could send requests into the operator's own network.
 */
export async function addressesOf(
  hostname: string,
  { dns, allowPrivateAddresses }: AddressCheck,
  signal: AbortSignal,
): Promise<CheckedAddresses> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  let found: readonly string[] = [literal];
  if (isIP(literal) === 0) {
    const answer = await dns.addresses(hostname, signal);
    if (answer.outcome !== 'found')
      return { ok: false, reason: `DNS has no address of ${hostname}: ${answer.outcome}` };
    found = answer.records;
  }
  const addresses = allowPrivateAddresses ? found : found.filter(isPublicAddress);
  if (addresses.length > 0) return { ok: true, addresses };
  return { ok: false, reason: `${hostname} is at no public address (${found.join(', ')})` };
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
