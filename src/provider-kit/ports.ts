import type { UnknownReason } from './provider.ts';

/** Milliseconds since the epoch, and nothing else of time. */
export interface Clock {
  now(): number;
}

/** What a DNS question came to. NXDOMAIN and NODATA are answers; the failures are not. */
export type DnsAnswer<Record> =
  | {
      readonly outcome: 'found';
      readonly records: readonly Record[];
      /** One of two questions failed (A or AAAA): there may be more records than these. */
      readonly partial?: true;
      /** How long it still holds, where DNS says so. */
      readonly ttlSeconds?: number;
    }
  | { readonly outcome: 'nxdomain' | 'nodata'; readonly ttlSeconds?: number }
  | { readonly outcome: Extract<UnknownReason, 'timeout' | 'servfail' | 'refused' | 'malformed' | 'error'> };

export interface MxRecord {
  /** Lower case, no final dot; empty for the null MX of RFC 7505. */
  readonly exchange: string;
  readonly preference: number;
}

/** Looks names up. Never rejects; a failure is an outcome. */
export interface DnsResolver {
  mx(domain: string, signal: AbortSignal): Promise<DnsAnswer<MxRecord>>;
  /** IPv4 and IPv6 addresses together, as text. */
  addresses(host: string, signal: AbortSignal): Promise<DnsAnswer<string>>;
}

/** Log lines carry the provider's id by themselves; never log an address or a local part. */
export interface ProviderLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Ports that a provider can name in `uses`. */
export interface Ports {
  readonly dns: DnsResolver;
  readonly clock: Clock;
  readonly log: ProviderLog;
}
