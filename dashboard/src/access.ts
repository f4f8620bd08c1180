import type { AccountOfSession, Session } from './api/session.ts';

/** Who may see a page, in the words of the endpoints. The endpoints decide; the dashboard only leaves out pages that they would refuse. */
export type Access =
  | 'signed_in'
  | { readonly operator: 'analyst' | 'owner' }
  | { readonly account: 'viewer' | 'developer' };

/** Whether the person has the `access` that a page or action needs, in the account in view. */
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
