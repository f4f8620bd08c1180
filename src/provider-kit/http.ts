import { type Unknown, unknown } from './unknown.ts';

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
 * - `timeout`: the time was over; `refused`: the port did not ask, or not on (`code`: `url`, `origin`, `address`, `redirect`)
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
