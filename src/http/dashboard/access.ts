import type { IncomingHttpHeaders } from 'node:http';
import {
  type AccountRole,
  type OperatorRole,
  type Person,
  SIGN_IN_CHALLENGE,
} from '../../accounts/person.ts';
import { AppError } from '../../errors.ts';

/** Owners may use every endpoint; analysts those of analysts and of viewers; developers of an account those of its viewers too. */
export type Access =
  | 'anyone'
  | 'signed_in'
  | { readonly operator: OperatorRole }
  | { readonly account: AccountRole };

export const ANALYSTS = { operator: 'analyst' } as const;

/** Throws AppError `not_signed_in`, `forbidden`, or `not_found` for a person who is no member: 403 would tell that the account exists. */
export function requireAccess(access: Access, person: Person | null, accountId: string | undefined): void {
  if (access === 'anyone') return;
  if (person === null) throw new AppError('not_signed_in', { headers: SIGN_IN_CHALLENGE });
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

/**
 * Throws AppError `foreign_origin` for a request that changes something and was not made by the dashboard's own page: another site
 * can send one with the person's cookie, but can set neither of these headers. `Sec-Fetch-Site` comes first, since a proxy may
 * change `Host`. A request without either header comes from no browser and is refused too.
 */
export function requireSameOrigin(method: string, headers: IncomingHttpHeaders): void {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers['sec-fetch-site'];
  const isOurs =
    site === undefined
      ? // Always https, also behind a proxy: plain requests were refused before.
        headers.origin?.toLowerCase() === `https://${headers.host?.toLowerCase()}`
      : site === 'same-origin';
  if (!isOurs) throw new AppError('foreign_origin');
}
