import type { DnsResolver } from '../provider-kit/index.ts';
import { DohDnsResolver } from './doh-dns-resolver.ts';
import { NodeDnsResolver } from './node-dns-resolver.ts';
import { SkepticalDnsResolver, type SkepticalOptions } from './skeptical-dns-resolver.ts';

export interface DnsOptions {
  /** `ip` or `ip:port`; none means the system's. */
  readonly servers: readonly string[];
  /** For one question; a look-up that asks two asks them side by side. */
  readonly timeoutMs: number;
  /** An HTTPS address that speaks RFC 8484; asked in place of `servers` when set. */
  readonly dohUrl: string | null;
}

/**
 * The resolver that the configuration's `dns` section asks for. Servers that an operator named are taken at
 * their word; the system's may be anything that the network handed out.
 */
export function createDnsResolver(
  options: DnsOptions,
  skepticism: SkepticalOptions = { now: Date.now, onDoubt: () => undefined },
): DnsResolver {
  const { servers, timeoutMs, dohUrl } = options;
  if (dohUrl !== null) return new DohDnsResolver(dohUrl, timeoutMs);
  const resolver = new NodeDnsResolver(servers, timeoutMs);
  return servers.length > 0 ? resolver : new SkepticalDnsResolver(resolver, skepticism);
}
