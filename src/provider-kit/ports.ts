import { type Unknown, type UnknownReason, unknown } from './unknown.ts';

/** Tells the time, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** The result of a DNS question. `nxdomain` and `nodata` are answers about the name; the outcomes of the last kind are failures. */
export type DnsAnswer<Record> =
  | {
      readonly outcome: 'found';
      readonly records: readonly Record[];
      /** One of two questions failed (A or AAAA): there may be more records than these. */
      readonly partial?: true;
      /** How long the answer still holds; absent where DNS does not say. */
      readonly ttlSeconds?: number;
    }
  | { readonly outcome: 'nxdomain' | 'nodata'; readonly ttlSeconds?: number }
  | { readonly outcome: Extract<UnknownReason, 'timeout' | 'servfail' | 'refused' | 'malformed' | 'error'> };

export interface MxRecord {
  /** Lower case, no final dot; empty for the null MX of RFC 7505. */
  readonly exchange: string;
  readonly preference: number;
}

/** Looks names up. A failure is an outcome; rejects only where an argument has a wrong type. */
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
 * The result of asking a host. `all_accepted` and `no_such_mailbox` are what it says of the recipients; all others tell why it says nothing:
 *
 * - `deferred`: a reply of class 4, such as greylisting; `rejected`: one of class 5 that does not speak of the mailbox
 * - `timeout`: a step or the whole took too long; `unreachable`: no connection; `dropped`: the host hung up
 * - `malformed`: no SMTP, or replies out of all bounds; `tls_failed`: STARTTLS was offered and failed
 * - `no_address`: DNS has no address of the host, or none was found out; `private_address`: only addresses that are never connected to
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
  /** Where the session ended: `connect`, `tls`, `greeting`, or the command that was answered last. */
  readonly step?: string;
  /** The code of the reply that settled the outcome; for example 550. */
  readonly code?: number;
  /** The enhanced code of that reply (RFC 3463), where there was one; for example `5.1.1`. */
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

/**
 * What a provider keeps across restarts, under keys of its own, of 1,024 octets at most. Small texts, without NUL; no address, and no
 * domain in clear.
 */
export interface ProviderStore {
  /** Undefined when nothing is kept or its life is over; rejects when the database cannot be read, or `key` cannot be one. */
  get(key: string): Promise<string | undefined>;
  /** Resolves once the value is durable; rejects when it cannot be kept, or an argument is of a wrong kind. In a command nothing is kept. */
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
  /** Bound to what the provider's `http` declares. */
  readonly http: JsonHttp;
  readonly store: ProviderStore;
  readonly clock: Clock;
  readonly log: ProviderLog;
}

/** The limits of the requests of a provider that uses `http`. */
export interface HttpDeclaration {
  /**
   * The only origins that are asked: `https://api.example.com`, with a port where it is not 443; or `{ option }`, which names an option of
   * the provider that holds an `https:` URL of the origin. An option that is null or left out adds none.
   */
  readonly origins: readonly (string | { readonly option: string })[];
  /** Requests under way at once, 1 to 64; 8 unless told. Eight times as many wait for their turn, more are `error` (`busy`). */
  readonly concurrency?: number;
  /** Largest body of an answer, packed as well as unpacked; 262,144 unless told, 4,194,304 at most. */
  readonly maxBytes?: number;
}

export interface HttpRequest {
  /** GET unless told. All but POST are tried again, twice at most, where the server did not answer or said 502, 503 or 504. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Such as `authorization`. The port sets `host`, `content-length` and those of a connection itself, and leaves them out of these. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Pass `context.signal`. The request ends when it fires, and at the latest when the provider's own time is over. */
  readonly signal?: AbortSignal;
}

/**
 * - `ok`: a status from 200 to 299; `status`: any other but a redirection
 * - `timeout`: the time was over; `refused`: the port did not ask (`code`: `url`, `origin`, `request`, `address`), or did not follow a
 *   redirection (`redirect`)
 * - `malformed`: the body is no JSON, or too large; `error`: no connection, or it broke (`code`), or too many requests wait (`busy`)
 * - `breaker_open`: the origin has failed five times in a row, and is not asked for some seconds, a minute at most
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
      /** The cause: a code of the system, such as `ECONNREFUSED`, or a word of the port's own. Has nothing of the URL. */
      readonly code?: string;
    };

/**
 * JSON over HTTPS, to the provider's origins alone, at addresses of the public Internet; at private ones where `providers.private_origins`
 * names the origin. Redirections are not followed. A failure is an outcome; rejects only where an argument has a wrong type. No test key
 * and no `--offline` sends a request.
 */
export interface JsonHttp {
  getJson(url: string, request?: Pick<HttpRequest, 'headers' | 'signal'>): Promise<HttpAnswer>;
  request(url: string, request?: HttpRequest): Promise<HttpAnswer>;
}

/** The `Unknown` to return from `check` for an answer it cannot use: the outcome as its reason, else `error`, with the status or code. */
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
