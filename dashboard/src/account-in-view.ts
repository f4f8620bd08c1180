import { useLocation, useSearchParams } from 'wouter';
import { type Access, may } from './access.ts';
import { chooseAccount, withParameter } from './account-choice.ts';
import { type AccountOfSession, useSession } from './api/session.ts';

/** The account in view; undefined for a person who has none. */
export function useAccount(): AccountOfSession | undefined {
  const { accounts } = useSession();
  const [search] = useSearchParams();
  return chooseAccount(accounts, search.get('account'));
}

/** Whether the person has the `access` that a page or action needs, in the account in view. */
export function useMay(access: Access): boolean {
  return may(access, useSession(), useAccount());
}

/** Names accounts by their ids; one that the person does not have is named by its id. */
export function useAccountNames(): (accountId: string) => string {
  const { accounts } = useSession();
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return (accountId) => names.get(accountId) ?? accountId;
}

/** Goes to a page of the app and keeps the account in view. */
export function useNavigateInAccount(): (href: string, options?: { replace?: boolean }) => void {
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  return (href, options) => navigate(withParameter(href, 'account', search.get('account')), options);
}
