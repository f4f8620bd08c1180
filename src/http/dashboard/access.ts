import type { IncomingHttpHeaders } from 'node:http';
import type { AccountRole, OperatorRole, Person } from '../../accounts/person.ts';
import { AppError } from '../../errors.ts';

/**
 * Who may use an endpoint. An owner may do all, an analyst what needs one and look into any account; a developer of an
 * account may do what its viewers may.
 */
export type Access =
  | 'anyone'
  | 'signed_in'
  | { readonly operator: OperatorRole }
  | { readonly account: AccountRole };

/**
 * Refuses whoever may not. An account that is not theirs does not exist for them: 404, or its id would be known to be one.
 */
export function requireAccess(access: Access, person: Person | null, accountId: string | undefined): void {
  if (access === 'anyone') return;
  if (person === null) {
    // RFC 9110, 11.6.1 wants a challenge with every 401; browsers pass over a scheme that they do not know.
    throw new AppError('not_signed_in', {
      headers: { 'WWW-Authenticate': 'Cookie realm="postern dashboard"' },
    });
  }
  if (access === 'signed_in' || person.operatorRole === 'owner') return;
  if ('operator' in access) {
    if (person.operatorRole === access.operator) return;
    throw new AppError('forbidden');
  }
  const role = person.memberships.find((membership) => membership.accountId === accountId)?.role;
  if (role === 'developer' || role === access.account) return;
  const looksOn = role !== undefined || person.operatorRole === 'analyst';
  if (looksOn && access.account === 'viewer') return;
  throw new AppError(looksOn ? 'forbidden' : 'not_found');
}

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Refuses a request that would change something and was not made by a page of ours: another site can send one with the
 * person's cookie, but can set neither of these headers. `Sec-Fetch-Site` comes first, since a proxy may change `Host`.
 * Whoever sends neither header is no browser, and has no business here.
 */
export function requireSameOrigin(method: string, headers: IncomingHttpHeaders): void {
  if (SAFE_METHODS.has(method)) return;
  const site = headers['sec-fetch-site'];
  const isOurs =
    site === undefined
      ? // Also behind a proxy the client spoke HTTPS, or the door would have refused it.
        headers.origin?.toLowerCase() === `https://${headers.host?.toLowerCase()}`
      : site === 'same-origin';
  if (!isOurs) throw new AppError('foreign_origin');
}
