import { getDomain, getPublicSuffix } from 'tldts';
import type { DomainList } from './load.ts';

const PRIVATE = { allowPrivateDomains: true };

/**
 * How many listed domains stand directly or deeper under each host that hands out subdomains. Such a host is either
 * in the private section of the Public Suffix List (`eu.org`) or a registered domain with listed subdomains.
 */
export function countByHost(lists: readonly DomainList[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [index, { domains }] of lists.entries()) {
    const earlier = lists.slice(0, index);
    for (const domain of domains) {
      if (earlier.some((list) => list.domains.has(domain))) continue;
      const host = hostOf(domain);
      if (host !== null) counts.set(host, (counts.get(host) ?? 0) + 1);
    }
  }
  return counts;
}

/** The host that gave the subdomain out; null for a domain that was registered at a registry. */
export function hostOf(domain: string): string | null {
  // Two labels have no host above them but the registry.
  if (domain.indexOf('.') === domain.lastIndexOf('.')) return null;
  const registered = getDomain(domain);
  const leaf = getDomain(domain, PRIVATE);
  if (registered === null || leaf === null) return null;
  // The two differ where the suffix is private: x.eu.org is a leaf, eu.org what was registered.
  if (leaf !== registered) return getPublicSuffix(domain, PRIVATE);
  return domain === registered ? null : registered;
}
