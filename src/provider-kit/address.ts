/** Where and why an address is not clean. `position` counts code points from 0 in the submitted string. */
export interface SyntaxFault {
  /** A code of the closed list in `docs/addresses.md`. */
  readonly code: string;
  readonly position: number;
  /** A sentence that a signup form could show. */
  readonly message: string;
}

/** Which rule made the canonical form. */
export type CanonicalBasis = 'provider' | 'generic' | 'none';

/**
 * What was done to make the canonical form: differences of case folded (or letters composed, NFC), a tag cut, dots taken
 * away or replaced, other characters taken away, the domain replaced by the one it stands for.
 */
export type CanonicalChange = 'case' | 'tag' | 'dots' | 'characters' | 'domain';

/** A submitted address, parsed and normalized. Immutable; the same for every provider. */
export interface Address {
  /** As submitted, untrimmed. */
  readonly raw: string;
  /** The local part after unquoting and NFC, case kept, tag kept. */
  readonly localPart: string;
  /** The domain as a lower-case A-label without a final dot, or a literal such as `[192.0.2.1]`. */
  readonly domain: string;
  readonly domainKind: 'name' | 'dotless' | 'literal';
  /** The stored form: tag cut, provider's dot rule applied, case folded. */
  readonly canonical: {
    readonly address: string;
    readonly localPart: string;
    readonly domain: string;
    readonly basis: CanonicalBasis;
    /** In the order in which they were made; empty when the address was written canonically. */
    readonly changes: readonly CanonicalChange[];
  };
  /** The tag that canonicalization cut, without its separator (RFC 5233's detail); null where none was cut. */
  readonly subaddress: string | null;
  readonly hasDotsRemoved: boolean;
  /** Empty when the address is clean. */
  readonly faults: readonly SyntaxFault[];
}
