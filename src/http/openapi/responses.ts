import { ERRORS, type ErrorCode } from '../../errors.ts';
import { envelopeOf, REQUEST_ID } from '../error-envelope.ts';

const LIMITS = 'draft-ietf-httpapi-ratelimit-headers-10';

/** Every header of an answer that means something to a client; a required one is on every answer that names it. */
export const HEADERS = {
  'Request-Id': {
    description: 'Yours, or a new one; it stands in the log.',
    required: true,
    schema: REQUEST_ID,
  },
  'Postern-Ruleset': {
    description: 'The rules that decided.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9a-f]{16}$' },
  },
  'Postern-Degraded': {
    description: 'Signals that were tried and failed, if any.',
    required: false,
    schema: { type: 'string', pattern: '^[a-z][a-z0-9_]*(, [a-z][a-z0-9_]*)*$' },
  },
  'Postern-Environment': {
    description: 'With a test key.',
    required: false,
    schema: { type: 'string', enum: ['test'] },
  },
  'RateLimit-Policy': {
    description: `The limits of the key and of its account (${LIMITS}); there once the key is known.`,
    required: false,
    schema: { type: 'string' },
  },
  RateLimit: {
    description: `What is left, and seconds until there is more (${LIMITS}); there once the key is known.`,
    required: false,
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Whole seconds to wait.',
    required: true,
    schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
  },
  'WWW-Authenticate': {
    description: 'The scheme (RFC 6750).',
    required: true,
    schema: { type: 'string', pattern: '^Bearer ' },
  },
  Allow: { description: 'The methods that this path takes.', required: true, schema: { type: 'string' } },
} as const;

export type HeaderName = keyof typeof HEADERS;

/** References to these headers, for one response. */
export function headersOf(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

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
  return Object.fromEntries(
    byStatus(codes).map(([status, here]) => [
      String(status),
      { $ref: `#/components/responses/${nameOf(here)}` },
    ]),
  );
}

/** The responses that `refusals` refers to. */
export function refusalComponents(
  sets: readonly (readonly ErrorCode[])[],
): Readonly<Record<string, Refusal>> {
  return Object.fromEntries(
    sets.flatMap(byStatus).map(([status, codes]) => [nameOf(codes), responseOf(status, codes)]),
  );
}

function byStatus(codes: readonly ErrorCode[]): [status: number, codes: readonly ErrorCode[]][] {
  return [...Map.groupBy(codes, (code) => ERRORS[code].status)];
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
