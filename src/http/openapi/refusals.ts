import { ERRORS, type ErrorCode } from '../../errors.ts';
import { envelopeOf } from '../error-envelope.schema.ts';
import { type HeaderName, headersOf } from './headers.ts';

type Refusal = Readonly<Record<string, unknown>>;

/** What can happen to any request, before or beside its route. */
export const ANYWHERE: readonly ErrorCode[] = [
  'bad_request',
  'https_required',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal_error',
];

const HEADERS_OF: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** One response for each status that these codes have. */
export function refusals(codes: readonly ErrorCode[]): Readonly<Record<string, Refusal>> {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => ERRORS[code].status === status);
      return [String(status), { $ref: `#/components/responses/${nameOf(here)}` }];
    }),
  );
}

/** The responses that `refusals` refers to. */
export function refusalComponents(
  sets: readonly (readonly ErrorCode[])[],
): Readonly<Record<string, Refusal>> {
  const responses: Record<string, Refusal> = {};
  for (const codes of sets) {
    for (const status of new Set(codes.map((code) => ERRORS[code].status))) {
      const here = codes.filter((code) => ERRORS[code].status === status);
      responses[nameOf(here)] = responseOf(status, here);
    }
  }
  return responses;
}

function nameOf(codes: readonly ErrorCode[]): string {
  return codes.join('_or_');
}

function responseOf(status: number, codes: readonly ErrorCode[]): Refusal {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
    headers: headersOf(['Request-Id', ...(HEADERS_OF[status] ?? [])]),
    content: { 'application/json': { schema: envelopeOf(codes) } },
  };
}
