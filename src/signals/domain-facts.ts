import { getDomain } from 'tldts';
import type { FactValue } from '../provider-kit/index.ts';
import type { FactCatalogue } from './signals.ts';

/** As the provider `address` asks, to which a test holds this. */
const WITH_PRIVATE = { allowPrivateDomains: true, validateHostname: false };

/** The domain of the canonical form: `gmail.com` for an address at `googlemail.com`. */
export const CANONICAL_DOMAIN_FACTS = ['address.domain', 'address.registrable_domain'] as const;

/** What was registered of a domain, `example.co.uk` of `mail.example.co.uk`; null of a public suffix. */
export function registrableDomain(domain: string): string | null {
  return getDomain(domain, WITH_PRIVATE);
}

type Known = Readonly<Record<string, FactValue | null>>;

/**
 * What the provider `address` tells of a canonical domain: of records that were made before there was such a provider the domain is
 * kept beside the facts, so that a rule which reads it can be judged by them. Nothing where the catalogue has no such facts.
 */
export function domainFacts(domain: string | null, { facts }: Pick<FactCatalogue, 'facts'>): Known {
  if (domain === null || facts.get('address.domain')?.provider !== 'address') return {};
  const isName = domain.includes('.') && !domain.startsWith('[');
  return {
    'address.domain': domain,
    'address.tld': isName ? domain.slice(domain.lastIndexOf('.') + 1) : null,
    'address.registrable_domain': isName ? registrableDomain(domain) : null,
  };
}
