import { type AppErrorOptions, ERRORS, type ErrorCode } from '../errors.ts';

/** Of the header `Request-Id`. */
export const REQUEST_ID = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' } as const;

/** The one form in which a refusal leaves. */
export function errorEnvelope(code: ErrorCode, requestId: string, details?: AppErrorOptions['details']) {
  const error = { code, message: ERRORS[code].message, request_id: requestId };
  return { error: { ...error, ...(details !== undefined && { details }) } };
}
