import { getDomain } from 'tldts';
import type { DomainList, Exemption } from './load.ts';

/** The listed domain that covers the asked one, with the lists that name it; or why the domain is exempt. */
export type Match =
  | { readonly kind: 'listed'; readonly domain: string; readonly lists: readonly string[] }
  | { readonly kind: 'exempt'; readonly domain: string; readonly exemption: Exemption }
  | { readonly kind: 'none' };

/**
 * Walks from the domain up to the part that somebody registered, and never beyond: the lists hold public suffixes
 * such as `eu.org` and `ddns.net`, under which strangers live. The most specific entry decides.
 */
export function matchDomain(
  domain: string,
  lists: readonly DomainList[],
  exemptions: ReadonlyMap<string, Exemption>,
): Match {
  for (const candidate of upToRegistrable(domain)) {
    const exemption = exemptions.get(candidate);
    if (exemption) return { kind: 'exempt', domain: candidate, exemption };
    const names = lists.filter(({ domains }) => domains.has(candidate)).map(({ name }) => name);
    if (names.length > 0) return { kind: 'listed', domain: candidate, lists: names };
  }
  return { kind: 'none' };
}

/** `a.b.example.co.uk` gives itself, `b.example.co.uk`, `example.co.uk`; a public suffix gives nothing. */
export function* upToRegistrable(domain: string): Generator<string> {
  const registrable = getDomain(domain, { allowPrivateDomains: true });
  if (registrable === null) return;
  let candidate = domain;
  while (candidate.length >= registrable.length) {
    yield candidate;
    const dot = candidate.indexOf('.');
    if (dot === -1) return;
    candidate = candidate.slice(dot + 1);
  }
}
