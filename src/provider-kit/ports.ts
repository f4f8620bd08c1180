import type { JsonHttp } from './http.ts';
import type { UnknownReason } from './unknown.ts';

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

/** A question to one mail host: would it take mail for mailboxes that do not exist? */
export interface SmtpQuestion {
  /** The domain whose mail the host takes, as a lower-case A-label. */
  readonly domain: string;
  /** Host name of the mail exchange. */
  readonly exchange: string;
  readonly port: number;
  /** The operator's own name, for EHLO. */
  readonly heloName: string;
  /** Connect to private and loopback addresses as well; for tests only. */
  readonly allowPrivateAddresses: boolean;
}

/**
 * What a host came to. `all_accepted` and `no_such_mailbox` are its word about the names; all others say why there is none:
 *
 * - `deferred`: a reply of class 4, such as greylisting; `rejected`: one of class 5 that does not speak of the mailbox
 * - `timeout`: a step or the whole took too long; `unreachable`: no connection; `dropped`: the host hung up
 * - `malformed`: no SMTP, or replies out of all bounds; `tls_failed`: STARTTLS was offered and came to nothing
 * - `no_address`: DNS has no address for it, or none was found out; `private_address`: only such as are never connected to
 * - `aborted`: the service stopped meanwhile
 */
export const SMTP_OUTCOMES = [
  'all_accepted',
  'no_such_mailbox',
  'deferred',
  'rejected',
  'timeout',
  'unreachable',
  'dropped',
  'malformed',
  'tls_failed',
  'no_address',
  'private_address',
  'aborted',
] as const;
export type SmtpOutcome = (typeof SMTP_OUTCOMES)[number];

export interface SmtpAnswer {
  readonly outcome: SmtpOutcome;
  /** Where it ended: `connect`, `tls`, `greeting`, or the command that was answered last. */
  readonly step?: string;
  /** The reply that settled it; for example 550. */
  readonly code?: number;
  /** Its enhanced code (RFC 3463), where there was one; for example `5.1.1`. */
  readonly enhancedCode?: string;
}

/**
 * Asks mail hosts about recipients that the port itself makes up at random, so that no caller can have a person's mailbox
 * asked for; two at most, each in a session of its own. No mail is sent. Few sessions at once, one at a time with any
 * host; a question waits for its turn. Never rejects.
 */
export interface SmtpProber {
  probe(question: SmtpQuestion): Promise<SmtpAnswer>;
}

/** What a provider keeps across restarts, under keys of its own. Small texts; no address, and no domain in clear. */
export interface ProviderStore {
  /** Undefined when there is none or its time is over; rejects when the database cannot be read. */
  get(key: string): Promise<string | undefined>;
  /** Resolves once it is durable; rejects when it cannot be made so. In a command it is forgotten. */
  set(key: string, value: string, lifeSeconds: number): Promise<void>;
}

/** Log lines carry the provider's id by themselves; never log an address or a local part. */
export interface ProviderLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Ports that a provider can name in `uses`. */
export interface Ports {
  readonly dns: DnsResolver;
  /** The service alone has it: a command asks no mail host. */
  readonly smtp: SmtpProber;
  /** As the provider's `http` declares it. */
  readonly http: JsonHttp;
  readonly store: ProviderStore;
  readonly clock: Clock;
  readonly log: ProviderLog;
}
