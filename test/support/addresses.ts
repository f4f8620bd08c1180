import type { Address } from '../../src/provider-kit/index.ts';

/** An address for tests that do not care how it was parsed. */
export function anAddress(
  localPart = 'jane.doe',
  domain = 'example.com',
  more: Partial<Address> = {},
): Address {
  return {
    raw: `${localPart}@${domain}`,
    localPart,
    domain,
    domainKind: 'name',
    canonical: { address: `${localPart}@${domain}`, localPart, domain, basis: 'generic', changes: [] },
    subaddress: null,
    hasDotsRemoved: false,
    faults: [],
    ...more,
  };
}
