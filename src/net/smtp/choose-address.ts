import { isIPv4 } from 'node:net';
import { isPublicAddress } from '../public-address.ts';

/**
 * The one of a host's addresses to connect to: undefined where none may be. The same each time, however DNS turns its
 * records; IPv4 first, because mail hosts trust few senders over IPv6.
 */
export function chooseAddress(records: readonly string[], allowPrivate: boolean): string | undefined {
  const allowed = allowPrivate ? records : records.filter(isPublicAddress);
  return [...allowed].sort(byFamilyThenText)[0];
}

function byFamilyThenText(one: string, other: string): number {
  return Number(isIPv4(other)) - Number(isIPv4(one)) || (one < other ? -1 : 1);
}
