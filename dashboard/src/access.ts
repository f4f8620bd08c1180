import type { AccountOfSession, Session } from './api/session.ts';

/** Who may see a page: the same words as at the endpoints, which decide; this only leaves out pages that would be refused. */
export type Access =
  | 'signed_in'
  | { readonly operator: 'analyst' | 'owner' }
  | { readonly account: 'viewer' | 'developer' };

/** Whether the person may use what needs `access`, at the account in view. */
export function may(
  access: Access,
  session: Pick<Session, 'operator_role'>,
  account: Pick<AccountOfSession, 'role'> | undefined,
): boolean {
  const { operator_role } = session;
  if (access === 'signed_in') return true;
  if ('operator' in access) return operator_role === 'owner' || operator_role === access.operator;
  if (account === undefined) return false;
  if (operator_role === 'owner') return true;
  // An analyst sees every account, and changes none.
  if (access.account === 'viewer') return true;
  return account.role === 'developer';
}
