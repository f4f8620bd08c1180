import { UNPARSEABLE } from '../email/faults.ts';
import { type AppErrorOptions, ERRORS, type ErrorCode, SERVICE_ERRORS } from '../errors.ts';
import type { JsonSchema } from '../provider-kit/index.ts';

/** The one form in which a refusal leaves, whoever refuses. */
interface ErrorEnvelope {
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

/** The schema of a refusal with one of these codes; `details` is the schema of its list of details. */
export function envelopeSchema(codes: readonly string[], details: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: {
          code: { type: 'string', enum: codes },
          message: { type: 'string', description: 'For people; may be reworded.' },
          request_id: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
          details,
        },
        required: ['code', 'message', 'request_id'],
        additionalProperties: false,
      },
    },
    required: ['error'],
    additionalProperties: false,
  };
}

/** The form of every refusal of `/v1`. */
export const ERROR_ENVELOPE = envelopeSchema(Object.keys(SERVICE_ERRORS), {
  description: 'What is wrong with the address, with `unparseable_email` alone.',
  type: 'array',
  items: {
    type: 'object',
    properties: {
      fault: { type: 'string', enum: Object.keys(UNPARSEABLE) },
      position: {
        description: 'In code points from 0, in the text as it was sent.',
        type: 'integer',
        minimum: 0,
      },
      message: { type: 'string', description: 'A sentence that a signup form can show.' },
    },
    required: ['fault', 'position', 'message'],
    additionalProperties: false,
  },
});

/** The same with one of these codes. */
export function envelopeOf(codes: readonly ErrorCode[]): JsonSchema {
  const code = { type: 'string', enum: codes };
  const error = { type: 'object', properties: { code } };
  return {
    allOf: [{ $ref: '#/components/schemas/error_envelope' }, { type: 'object', properties: { error } }],
  };
}
