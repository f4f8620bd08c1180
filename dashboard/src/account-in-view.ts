import { useLocation, useSearchParams } from 'wouter';
import { chooseAccount, withAccount } from './account-choice.ts';
import { type AccountOfSession, useSession } from './api/session.ts';

/** The account in view; undefined for a person who has none. */
export function useAccount(): AccountOfSession | undefined {
  const { accounts } = useSession();
  const [search] = useSearchParams();
  return chooseAccount(accounts, search.get('account'));
}

/** Goes to a page of the app and keeps the account in view. */
export function useNavigateInAccount(): (href: string, options?: { replace?: boolean }) => void {
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  return (href, options) => navigate(withAccount(href, search.get('account')), options);
}
