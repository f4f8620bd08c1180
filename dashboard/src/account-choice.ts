import type { AccountOfSession } from './api/session.ts';

/** The account that `?account=` names, or the first without `?account=`; undefined where `accounts` does not have it, or is empty. */
export function chooseAccount(
  accounts: readonly AccountOfSession[],
  named: string | null,
): AccountOfSession | undefined {
  return named === null ? accounts[0] : accounts.find(({ id }) => id === named);
}

/** Puts the account in view into a path of the app, whose own search parameters stay. */
export function withAccount(href: string, account: string | null): string {
  if (account === null || !href.startsWith('/')) return href;
  const url = new URL(href, 'https://app.invalid');
  if (!url.searchParams.has('account')) url.searchParams.set('account', account);
  return `${url.pathname}${url.search}${url.hash}`;
}
