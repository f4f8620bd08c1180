import type { Address } from '../provider-kit/index.ts';
import { canonicalize } from './canonical.ts';
import { MAX_OCTETS, readSource, type Source } from './characters.ts';
import { unwrapDisplayName } from './comments-and-names.ts';
import { readDomain } from './domain.ts';
import { type Refusal, refuse, unclean } from './faults.ts';
import { readLocalPart } from './local-part.ts';

/** RFC 5321, 4.5.3.1.3 less the angle brackets of a path; erratum 1690 of RFC 3696. */
const MAX_ADDRESS_OCTETS = 254;

/**
 * Reads what a person typed as one address and normalizes it. Pure: the same string gives the same answer
 * in the same version. Never throws; the work grows with the length, and over 1,024 octets nothing is tried.
 */
export function readAddress(raw: string): { readonly ok: true; readonly address: Address } | Refusal {
  const source = readSource(raw);
  if ('refusal' in source) return source;
  if (!source.characters.includes('@')) return refuseWithoutAt(source);

  const { faults } = source;
  const span = unwrapDisplayName(source);
  if ('refusal' in span) return span;
  const local = readLocalPart(source, span.from, span.to);
  if ('refusal' in local) return local;
  const domain = readDomain(source, local.end + 1, span.to);
  if ('refusal' in domain) return domain;

  if (local.octets + 1 + domain.octets > MAX_ADDRESS_OCTETS) {
    faults.push(unclean('address_too_long', span.from + source.offset));
  }
  const normalized = canonicalize(local.value, domain.value);
  // Normalizing can lengthen the address; the canonical form must be readable again.
  if (Buffer.byteLength(normalized.canonical.address) > MAX_OCTETS) return refuse('too_long', source.offset);
  faults.sort((a, b) => a.position - b.position);
  const { value: localPart } = local;
  const address = { raw, localPart, domain: domain.value, domainKind: domain.kind, ...normalized, faults };
  return { ok: true, address };
}

function refuseWithoutAt(source: Source): Refusal {
  const { characters, offset } = source;
  // Fullwidth and small commercial at: the @ of some input methods.
  const lookalike = characters.findIndex((character) => /[\uff20\ufe6b]/.test(character));
  return lookalike === -1
    ? refuse('no_at', characters.length + offset)
    : refuse('lookalike_at', lookalike + offset);
}
