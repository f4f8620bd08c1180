import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { withParameter } from './account-choice.ts';

/** Search parameters by name; null or an empty text removes one. */
export type AddressChanges = Readonly<Record<string, string | null | undefined>>;

export function withChanges(search: URLSearchParams, changes: AddressChanges): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

/** What a page shows stands in its URL: `put({ tab: 'flips', file: null })` sets one parameter, removes another and leaves the others. */
export function useAddress() {
  const [search, setSearch] = useSearchParams();
  const put = useCallback(
    (changes: AddressChanges, options?: { readonly replace: boolean }) =>
      setSearch((before) => withChanges(before, changes), options),
    [setSearch],
  );
  return [search, put] as const;
}

/** Keeps a path of the app among the same records as are in view: those of one account, or of all. */
export function useSameScope(): (href: string) => string {
  const [search] = useSearchParams();
  return (href) => withParameter(href, 'scope', search.get('scope'));
}
