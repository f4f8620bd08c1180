import { getDomain } from 'tldts';
import type { FactCatalogue } from './signals.ts';

/**
 * What was registered of a domain, `example.co.uk` of `mail.example.co.uk`; null of a public suffix. As the provider `address` asks, to
 * which a test holds this.
 */
export function registrableDomain(domain: string): string | null {
  return getDomain(domain, { allowPrivateDomains: true, validateHostname: false });
}

/**
 * What the provider `address` tells of a canonical domain: of records that were made before there was such a provider the domain is
 * kept beside the facts, so that a rule which reads it can be judged by them. Nothing where the catalogue has no such facts.
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
