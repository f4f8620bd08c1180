import { type DnsResolver, type Unknown, type UnknownReason, unknown } from 'postern/provider-kit';
import { isReachable } from './address-range.ts';

/** Where mail to some hosts would go: to a host that can be reached, only to private networks, or nowhere. */
export type Reach = 'reachable' | 'private' | 'nowhere' | Unknown;

/** Asks for all hosts side by side. One reachable host settles it, whatever became of the others. */
export async function reachOf(
  hosts: readonly string[],
  dns: DnsResolver,
  signal: AbortSignal,
): Promise<Reach> {
  return together(await Promise.all(hosts.map((host) => reachOfOne(host, dns, signal))));
}

/** The reach of several hosts as one. */
export function together(reaches: readonly Reach[]): Reach {
  if (reaches.includes('reachable')) return 'reachable';
  // A host whose look-up failed could be the reachable one.
  const failed = reaches.find((reach) => typeof reach === 'object');
  return failed ?? (reaches.includes('private') ? 'private' : 'nowhere');
}

async function reachOfOne(host: string, dns: DnsResolver, signal: AbortSignal): Promise<Reach> {
  const answer = await dns.addresses(host, signal);
  switch (answer.outcome) {
    case 'found':
      if (answer.records.some(isReachable)) return 'reachable';
      return answer.partial ? failure('error', host) : 'private';
    case 'nxdomain':
    case 'nodata':
      return 'nowhere';
    default:
      return failure(answer.outcome, host);
  }
}

function failure(reason: UnknownReason, host: string): Unknown {
  return unknown(reason, `addresses of ${host}`);
}
