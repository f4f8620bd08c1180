import { UNPARSEABLE } from '../src/email/faults.ts';
import { type ErrorCode, SERVICE_ERRORS } from '../src/errors.ts';
import { closed, type LiteralSchema } from '../src/http/json-types.ts';
import { REQUEST_ID } from '../src/http/request-state.ts';
import type { JsonSchema } from '../src/provider-kit/index.ts';

/** The schema of a refusal with one of these codes; `details` is the schema of its list of details. */
export function envelopeSchema(codes: readonly string[], details: LiteralSchema): JsonSchema {
  const error = {
    code: { type: 'string', enum: codes },
    message: { type: 'string', description: 'For people; may be reworded.' },
    request_id: REQUEST_ID,
    details,
  } as const;
  return closed({ error: closed(error, ['details']) });
}

/** The form of every refusal of `/v1`. */
export const ERROR_ENVELOPE = envelopeSchema(Object.keys(SERVICE_ERRORS), {
  description: 'What is wrong with the address, with `unparseable_email` alone.',
  type: 'array',
  items: closed({
    fault: { type: 'string', enum: Object.keys(UNPARSEABLE) },
    position: {
      description: 'In code points from 0, in the text as it was sent.',
      type: 'integer',
      minimum: 0,
    },
    message: { type: 'string', description: 'A sentence that a signup form can show.' },
  }),
});

/** The document's `error_envelope`, limited to these codes. */
export function envelopeOf(codes: readonly ErrorCode[]): JsonSchema {
  const code = { type: 'string', enum: codes };
  const error = { type: 'object', properties: { code } };
  return {
    allOf: [{ $ref: '#/components/schemas/error_envelope' }, { type: 'object', properties: { error } }],
  };
}
