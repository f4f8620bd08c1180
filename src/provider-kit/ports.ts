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

/** How far back a count looks: the last 55 to 60 minutes, the last 22 to 24 hours. */
export type CountWindow = '1h' | '24h';

/**
 * Counts the service's own answered checks, within the account and environment of the check that is asked about. Only a
 * keyed hash of what is counted is kept. A check that is refused after all counts nothing, and the same canonical
 * address from the same key within ten minutes counts once.
 */
export interface Counters {
  /**
   * Counts this check under `text` and returns how many were counted so in the window, this one included: 1 or more.
   *
   * `name` tells this count from others: the id of the fact that shows it. Call it once for each fact and check; a
   * check has 16 counts at most, and throws at the next. Past 65,535 in a twelfth of the window nothing is added.
   */
  count(name: string, text: string, window: CountWindow): number;
}

/** Ports that a provider can name in `uses`. */
export interface Ports {
  readonly dns: DnsResolver;
  readonly clock: Clock;
  /** For local providers. Absent where nothing is counted, as in `postern check`: what it would tell is not run. */
  readonly counters: Counters;
  readonly log: ProviderLog;
}
