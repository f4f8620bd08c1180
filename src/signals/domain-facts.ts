import { getDomain } from 'tldts';
import type { FactCatalogue } from './signals.ts';

/**
 * The registrable domain: `example.co.uk` of `mail.example.co.uk`; null of a public suffix. The provider `address` makes the same call; a
 * test compares the two.
 */
export function registrableDomain(domain: string): string | null {
  return getDomain(domain, { allowPrivateDomains: true, validateHostname: false });
}

/**
 * The facts of the provider `address`, made from a canonical domain alone. Records from before that provider hold the domain but not these
 * facts; with them, rules that read the facts can be judged by old records too. Empty where the catalogue has no such facts.
 */
export function domainFacts(
  domain: string | null,
  { facts }: Pick<FactCatalogue, 'facts'>,
): Readonly<Record<string, string | null>> {
  if (domain === null || facts.get('address.domain')?.provider !== 'address') return {};
  const isName = domain.includes('.') && !domain.startsWith('[');
  return {
    'address.domain': domain,
    'address.tld': isName ? domain.slice(domain.lastIndexOf('.') + 1) : null,
    'address.registrable_domain': isName ? registrableDomain(domain) : null,
  };
}
