import type { ErrorCode } from '../../src/errors.ts';

/** `https` and `plain` are the two ports; `tcp` sends bytes to the HTTPS port without a TLS handshake. */
export type Listener = 'https' | 'plain' | 'tcp';

export type Step = { readonly send: Buffer } | { readonly pauseMs: number };

/**
 * What the client does when its steps are done. `keep`: the bytes were whole requests, so the connection
 * serves the next case too. `await_close`: nothing more; the service must end it by its own time-outs.
 * `finish`: ends its side once an answer is in or none comes. `finish_at_once`: ends its side without waiting.
 * `reset`: cuts the connection.
 */
export type Ending = 'keep' | 'await_close' | 'finish' | 'finish_at_once' | 'reset';

/** What one answer has to be. */
export interface Expected {
  /** The answers that are right; anything of the closed table that is no 5xx where it is left out. */
  readonly codes?: readonly (ErrorCode | 'ok')[];
  /** The `Request-Id` that was sent and must come back. */
  readonly requestId?: string;
  /** An answer to HEAD has no body. */
  readonly isHead?: boolean;
  /** `normalized.raw` of a 200. */
  readonly email?: string;
}

/** What is sent on one connection, and what may come back. */
export interface GeneratedCase {
  /** The generator and its variant, for the reader of a report. */
  readonly name: string;
  readonly listener: Listener;
  readonly steps: readonly Step[];
  readonly ending: Ending;
  /** In order; an answer beyond them is a fault. */
  readonly expected: readonly Expected[];
  /** The fewest answers that must come before the connection ends. */
  readonly leastAnswers: number;
  /** The answer leaves the connection open for sure, so that another request can follow in the same write. */
  readonly isCalm?: boolean;
}

export interface FuzzCase extends GeneratedCase {
  /** One, or those of the requests that were put into one write. */
  readonly numbers: readonly number[];
}

/** What generators may use besides chance. */
export interface World {
  readonly liveKey: string;
  readonly testKey: string;
  /** Stands in every local part, body and key that the case sends; must never be logged. */
  readonly marker: string;
  /** Unique to the case. */
  readonly requestId: string;
  /** Where whole requests go. */
  readonly listener: Exclude<Listener, 'tcp'>;
}
