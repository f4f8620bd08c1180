import { type Unknown, type UnknownReason, unknown } from './unknown.ts';

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
  mx(domain: string, signal?: AbortSignal): Promise<DnsAnswer<MxRecord>>;
  /** IPv4 and IPv6 addresses together, as text. */
  addresses(host: string, signal?: AbortSignal): Promise<DnsAnswer<string>>;
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

/** What a provider that uses `http` says of its requests. */
export interface HttpDeclaration {
  /**
   * The only ones that are asked: `https://api.example.com`, with a port where it is not 443; or the option of the provider that
   * holds a URL, whose origin is meant. An option that is null or left out is none.
   */
  readonly origins: readonly (string | { readonly option: string })[];
  /** Requests under way at once, 1 to 64; 8 unless told. Eight times as many wait for their turn, more are `error` (`busy`). */
  readonly concurrency?: number;
  /** Largest body of an answer, packed as well as unpacked; 262,144 unless told, 4,194,304 at most. */
  readonly maxBytes?: number;
}

export interface HttpRequest {
  /** GET, HEAD, PUT and DELETE are tried again, twice at most, where the server did not answer or said 502, 503 or 504. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Such as `authorization`; `host`, `content-length` and what belongs to a connection are the port's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** `context.signal`. The request ends with it, and in any case with the provider's own time. */
  readonly signal?: AbortSignal;
}

/**
 * - `ok`: a status of class 2; `status`: any other but a redirection
 * - `timeout`: the time was over; `refused`: the port did not ask, or not on (`code`: `url`, `origin`, `request`, `address`,
 *   `redirect`)
 * - `malformed`: the body is no JSON, or too large; `error`: no connection, or it broke (`code`)
 * - `breaker_open`: the origin has failed five times in a row, and is left alone for some seconds
 */
export const HTTP_OUTCOMES = [
  'ok',
  'status',
  'timeout',
  'refused',
  'malformed',
  'breaker_open',
  'error',
] as const;
export type HttpOutcome = (typeof HTTP_OUTCOMES)[number];

export type HttpAnswer =
  | {
      readonly outcome: 'ok' | 'status';
      readonly status: number;
      /** The JSON that came; null where there is none, or with `status` where it is no JSON. */
      readonly body: unknown;
    }
  | {
      readonly outcome: Exclude<HttpOutcome, 'ok' | 'status'>;
      /** What it was: of the system, such as `ECONNREFUSED`, or a word of the port's own. Nothing of the URL. */
      readonly code?: string;
    };

/**
 * JSON over HTTPS, to the provider's origins alone, at addresses of the public Internet. Redirections are not followed. Never
 * rejects: a failure is an outcome. No test key and no `--offline` sends a request.
 */
export interface JsonHttp {
  getJson(url: string, request?: Pick<HttpRequest, 'headers' | 'signal'>): Promise<HttpAnswer>;
  request(url: string, request?: HttpRequest): Promise<HttpAnswer>;
}

/** Why there is no answer to go by: for `check` to return where `outcome` is not what it can read. */
export function unknownFrom(answer: HttpAnswer): Unknown {
  switch (answer.outcome) {
    case 'timeout':
    case 'refused':
    case 'malformed':
      return unknown(answer.outcome, answer.code);
    case 'ok':
    case 'status':
      return unknown('error', `status ${answer.status}`);
    default:
      return unknown('error', answer.code ?? answer.outcome);
  }
}
