import type { SmtpOutcome } from '../../provider-kit/index.ts';

/** How a session can end without the host's word. */
export type Failure = Extract<
  SmtpOutcome,
  'timeout' | 'unreachable' | 'dropped' | 'malformed' | 'tls_failed' | 'aborted'
>;

/** Ends a session from within; `SmtpClient` makes an answer of it, and nobody else sees one. */
export class SessionFailure extends Error {
  readonly outcome: Failure;

  constructor(outcome: Failure) {
    super(outcome);
    this.outcome = outcome;
  }
}
