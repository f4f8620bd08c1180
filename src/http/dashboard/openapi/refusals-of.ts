import type { ErrorCode } from '../../../errors.ts';
import { ANYWHERE } from '../../openapi/refusals.ts';
import type { Endpoint } from '../endpoint.ts';

/** Every code that an endpoint may refuse with: what its guards do, and what it declares. */
export function refusalsOf({
  access,
  method,
  path,
  query,
  body,
  refusals = [],
}: Endpoint<never>): ErrorCode[] {
  const isRestricted = typeof access === 'object';
  const codes: readonly (ErrorCode | false)[] = [
    ...ANYWHERE,
    access !== 'anyone' && 'not_signed_in',
    isRestricted && 'forbidden',
    path.includes('{') && 'not_found',
    method !== 'GET' && 'foreign_origin',
    (query ?? body) !== undefined && 'invalid_request',
    ...(body ? (['invalid_json', 'unsupported_media_type', 'body_too_large'] as const) : []),
    method !== 'GET' && 'unavailable',
    ...refusals,
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}
