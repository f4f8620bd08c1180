import type { AccountOfSession } from './api/session.ts';

/** The account that `?account=` names, or the first without `?account=`; undefined where `accounts` does not have it, or is empty. */
export function chooseAccount(
  accounts: readonly AccountOfSession[],
  named: string | null,
): AccountOfSession | undefined {
  return named === null ? accounts[0] : accounts.find(({ id }) => id === named);
}

/** Puts a search parameter into a path of the app, whose own parameters stay: the account in view, or that all are. */
export function withParameter(href: string, name: 'account' | 'scope', value: string | null): string {
  if (value === null || !href.startsWith('/')) return href;
  const url = new URL(href, 'https://app.invalid');
  if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return `${url.pathname}${url.search}${url.hash}`;
}
