import { type AppErrorOptions, ERRORS, type ErrorCode } from '../errors.ts';

/** The one form in which a refusal leaves, whoever refuses. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly request_id: string;
    readonly details?: NonNullable<AppErrorOptions['details']>;
  };
}

export function errorEnvelope(
  code: ErrorCode,
  requestId: string,
  details?: AppErrorOptions['details'],
): ErrorEnvelope {
  const error = { code, message: ERRORS[code].message, request_id: requestId };
  return { error: details === undefined ? error : { ...error, details } };
}
