import { useSearchParams } from 'wouter';
import { useAccount } from './account-in-view.ts';
import { useSession } from './api/session.ts';

/** The records that a page shows: those of one account, or of all. */
export type Scope = { readonly accountId: string } | { readonly all: true };

export function isAll(scope: Scope): scope is { readonly all: true } {
  return 'all' in scope;
}

/** A check of which the account is not known, or need not be the one in view. */
export function checkOfAnyAccount(id: string): string {
  return `/checks/${encodeURIComponent(id)}?scope=all`;
}

/**
 * The account in view. For operators all accounts, where `?scope=all` says so or no account is in view. A page that needs
 * a scope is not shown to a person without an account.
 */
export function useScope(): Scope {
  const [search] = useSearchParams();
  const { operator_role } = useSession();
  const account = useAccount();
  if (operator_role !== null && (search.get('scope') === 'all' || account === undefined))
    return { all: true };
  return { accountId: account?.id ?? '' };
}
