import type { DnsAnswer, DnsResolver, MxRecord } from '../../src/provider-kit/index.ts';
import { ADDRESS, lookUp } from './zone.ts';

/** Why a question is not answered at this moment; null when it is. */
export type Failing = (domain: string) => 'timeout' | 'servfail' | null;

/**
 * Answers from the demo's zone at once, without a socket: thirty days go by in seconds. Every TTL is 0, so that an outage
 * reaches domains that were asked about before.
 */
export function zoneResolver(failing: Failing): DnsResolver {
  return {
    async mx(domain): Promise<DnsAnswer<MxRecord>> {
      const failure = failing(domain);
      if (failure) return { outcome: failure };
      const entry = lookUp(domain);
      if (entry === undefined) return { outcome: 'nxdomain', ttlSeconds: 0 };
      if (typeof entry === 'string') return { outcome: 'nodata', ttlSeconds: 0 };
      const records = entry.exchanges.map((exchange, n) => ({ exchange, preference: 10 * (n + 1) }));
      return { outcome: 'found', records, ttlSeconds: 0 };
    },
    async addresses(host): Promise<DnsAnswer<string>> {
      const failure = failing(host);
      if (failure) return { outcome: failure };
      if (lookUp(host) === 'empty') return { outcome: 'nodata', ttlSeconds: 0 };
      return { outcome: 'found', records: [ADDRESS], ttlSeconds: 0 };
    },
  };
}
