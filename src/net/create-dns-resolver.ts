import type { DnsResolver } from '../provider-kit/index.ts';
import { DohDnsResolver } from './doh-dns-resolver.ts';
import { NodeDnsResolver } from './node-dns-resolver.ts';

export interface DnsOptions {
  /** `ip` or `ip:port`; none means the system's. */
  readonly servers: readonly string[];
  /** For one question; a look-up that asks two asks them side by side. */
  readonly timeoutMs: number;
  /** An HTTPS address that speaks RFC 8484; asked in place of `servers` when set. */
  readonly dohUrl: string | null;
}

/** The resolver that the configuration's `dns` section asks for. */
export function createDnsResolver(options: DnsOptions): DnsResolver {
  return options.dohUrl === null
    ? new NodeDnsResolver(options.servers, options.timeoutMs)
    : new DohDnsResolver(options.dohUrl, options.timeoutMs);
}
