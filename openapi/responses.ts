import { ERRORS, type ErrorCode } from '../src/errors.ts';
import { REQUEST_ID } from '../src/http/request-state.ts';
import type { JsonSchema } from '../src/provider-kit/index.ts';
import { envelopeOf } from './envelope.ts';

const LIMITS = 'draft-ietf-httpapi-ratelimit-headers-10';

const text = (pattern?: string) => ({ type: 'string', ...(pattern !== undefined && { pattern }) }) as const;
/** `always`: a header that is on every answer that lists it. `perhaps`: one that may be missing. */
const always = (description: string, schema: JsonSchema = text()) => ({
  description,
  required: true,
  schema,
});
const perhaps = (...header: Parameters<typeof always>) => ({ ...always(...header), required: false });

/** Every header of an answer that means something to a client. */
export const HEADERS = {
  'Request-Id': always('Yours, or a new one; it stands in the log.', REQUEST_ID),
  'Postern-Ruleset': always('The rules that decided.', text('^[0-9a-f]{16}$')),
  'Postern-Degraded': perhaps(
    'Signals that were tried and failed, if any.',
    text('^[a-z][a-z0-9_]*(, [a-z][a-z0-9_]*)*$'),
  ),
  'Postern-Suggestion': perhaps(
    'The big mail domain that was probably meant, if the domain is a misspelling.',
  ),
  'Postern-Environment': perhaps('With a test key.', { type: 'string', enum: ['test'] }),
  'RateLimit-Policy': perhaps(
    `The limits of the key and of its account (${LIMITS}); there once the key is known.`,
  ),
  RateLimit: perhaps(
    `What is left, and seconds until there is more (${LIMITS}); there once the key is known.`,
  ),
  'Retry-After': always('Whole seconds to wait.', text('^[1-9][0-9]*$')),
  'WWW-Authenticate': always('The scheme (RFC 6750).', text('^Bearer ')),
  Allow: always('The methods that this path takes.'),
};

export type HeaderName = keyof typeof HEADERS;

/** References to these headers, for one response. */
export function headersOf(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Refusals that any request can get, before or beside its route. */
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

/** Headers that any answer may have once the key is known. */
export const OF_KEY: readonly HeaderName[] = ['Postern-Environment', 'RateLimit-Policy', 'RateLimit'];

/** One response for each status that these codes have. */
export function refusals(codes: readonly ErrorCode[]) {
  return Object.fromEntries(
    byStatus(codes).map(([status, here]) => [
      String(status),
      { $ref: `#/components/responses/${nameOf(here)}` },
    ]),
  );
}

/** The responses that `refusals` refers to. `known`: statuses at which the key may be known. */
export function refusalComponents(sets: readonly (readonly ErrorCode[])[], known: readonly number[] = []) {
  return Object.fromEntries(
    sets.flatMap(byStatus).map(([status, codes]) => [nameOf(codes), responseOf(status, codes, known)]),
  );
}

function byStatus(codes: readonly ErrorCode[]): [status: number, codes: readonly ErrorCode[]][] {
  return [...Map.groupBy(codes, (code) => ERRORS[code].status)];
}

function nameOf(codes: readonly ErrorCode[]): string {
  return codes.join('_or_');
}

function responseOf(status: number, codes: readonly ErrorCode[], known: readonly number[]) {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
    headers: headersOf([
      'Request-Id',
      ...(HEADERS_OF[status] ?? []),
      ...(known.includes(status) ? OF_KEY : []),
    ]),
    content: { 'application/json': { schema: envelopeOf(codes) } },
  };
}
