/** A path of this app, from a search parameter, which cannot be trusted; `/` for everything else. */
export function localPath(wanted: string | null): string {
  if (wanted === null || !wanted.startsWith('/')) return '/';
  // "//host" and "/\host" lead elsewhere: a browser's own reading decides.
  const url = new URL(wanted, 'https://app.invalid');
  return url.origin === 'https://app.invalid' ? `${url.pathname}${url.search}${url.hash}` : '/';
}

/**
 * Where a sign-in leads: to the wanted page, or to `/` where this person may not open it, since another person wanted it. `mayOpen`
 * takes the path and the account that it names.
 */
export function landing(
  wanted: string | null,
  mayOpen: (path: string, account: string | null) => boolean,
): string {
  const local = localPath(wanted);
  const { pathname, searchParams } = new URL(local, 'https://app.invalid');
  return mayOpen(pathname, searchParams.get('account')) ? local : '/';
}

/** Where `/` leads for those who have no overview: the first page of their navigation. */
export function firstPage(
  visible: readonly { readonly path: string; readonly section: string | null }[],
): string | undefined {
  return (visible.find(({ section }) => section !== null) ?? visible[0])?.path;
}
