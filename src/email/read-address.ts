import type { Address, SyntaxFault } from '../provider-kit/index.ts';
import { canonicalize, type Normalized } from './canonical.ts';
import { AT, LOOKALIKE_ATS, MAX_OCTETS, readSource, type Source } from './characters.ts';
import { unwrapDisplayName } from './comments-and-names.ts';
import { readDomain } from './domain.ts';
import { type Refusal, refuse, unclean } from './faults.ts';
import { readLocalPart } from './local-part.ts';

/** An address that needs no reader: clean, and nothing in it to unfold but the domain's capitals. */
interface PlainAddress {
  readonly localPart: string;
  readonly domain: string;
}

/** Up to here no part can pass a limit of its own: 64 for a local part, 63 for a label (RFC 5321, 4.5.3.1; RFC 1035, 2.3.4). */
const MAX_LENGTH = 64;

/**
 * A dot-atom in ASCII (RFC 5322, 3.2.3) at labels of letters and digits with single hyphens between, the last of
 * letters only. Two hyphens together may begin an encoded name, which only the reader can judge. Each character can
 * be matched in one way only, so that the time grows with the length alone.
 */
const PLAIN =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\.)+[A-Za-z]+$/;

/** What nearly everybody types, found at a tenth of the reader's cost; null for anything that must be read with care. */
export function matchPlainAddress(raw: string): PlainAddress | null {
  if (raw.length > MAX_LENGTH || !PLAIN.test(raw)) return null;
  const at = raw.indexOf('@');
  return { localPart: raw.slice(0, at), domain: raw.slice(at + 1).toLowerCase() };
}

/** An address that could be read, clean or not, or the one reason why not. */
type Reading =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly refusal: SyntaxFault };

/** RFC 5321, 4.5.3.1.3 less the angle brackets of a path; erratum 1690 of RFC 3696. */
const MAX_ADDRESS_OCTETS = 254;

/**
 * Reads what a person typed as one address and normalizes it. Pure: the same string gives the same answer
 * in the same version. Never throws; the work grows with the length, and over 1,024 octets nothing is tried.
 */
export function readAddress(raw: string): Reading {
  const plain = matchPlainAddress(raw);
  return plain === null
    ? readByGrammar(raw)
    : { ok: true, address: addressOf(raw, plain, 'name', canonicalize(plain.localPart, plain.domain), []) };
}

/** The same, for any string, by the readers of its parts; what `matchPlainAddress` is held to. */
export function readByGrammar(raw: string): Reading {
  const address = read(raw);
  return 'refusal' in address ? { ok: false, refusal: address.refusal } : { ok: true, address };
}

function read(raw: string): Address | Refusal {
  const source = readSource(raw);
  if ('refusal' in source) return source;
  if (!source.codes.includes(AT)) return refuseWithoutAt(source);

  const faults: SyntaxFault[] = [];
  const span = unwrapDisplayName(source, faults);
  if ('refusal' in span) return span;
  const local = readLocalPart(source, span.from, span.to, faults);
  if ('refusal' in local) return local;
  const domain = readDomain(source, local.end + 1, span.to, faults);
  if ('refusal' in domain) return domain;

  if (local.octets + 1 + domain.octets > MAX_ADDRESS_OCTETS) {
    faults.push(unclean('address_too_long', span.from + source.offset));
  }
  const normalized = canonicalize(local.value, domain.value);
  // Normalizing can lengthen; what is canonical must be readable in its turn.
  if (Buffer.byteLength(normalized.canonical.address) > MAX_OCTETS) return refuse('too_long', source.offset);
  const typed = { localPart: local.value, domain: domain.value };
  faults.sort((a, b) => a.position - b.position);
  return addressOf(raw, typed, domain.kind, normalized, faults);
}

function addressOf(
  raw: string,
  { localPart, domain }: Pick<Address, 'localPart' | 'domain'>,
  domainKind: Address['domainKind'],
  { canonical, subaddress, hasDotsRemoved }: Normalized,
  faults: readonly SyntaxFault[],
): Address {
  return { raw, localPart, domain, domainKind, canonical, subaddress, hasDotsRemoved, faults };
}

function refuseWithoutAt(source: Source): Refusal {
  const { codes, offset } = source;
  const lookalike = codes.findIndex((code) => LOOKALIKE_ATS.includes(code));
  return lookalike === -1
    ? refuse('no_at', codes.length + offset)
    : refuse('lookalike_at', lookalike + offset);
}
