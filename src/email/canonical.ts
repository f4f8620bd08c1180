import type { Address, CanonicalChange } from '../provider-kit/address.ts';
import { atomsOf, foldCase, isDotAtom } from './characters.ts';
import { findMailboxRule, foldCharacters, type MailboxRule } from './mailbox-providers.ts';

type Normalized = Pick<Address, 'canonical' | 'subaddress' | 'hasDotsRemoved'>;

type LocalPartRule = Pick<MailboxRule, 'tagSeparator' | 'dots' | 'ignored'>;

/**
 * For providers without a rule of their own: the specification's canonical form strips `+tag`, RFC 5233's example
 * and by far the most common separator.
 */
const GENERIC: LocalPartRule = { tagSeparator: '+', dots: 'keep', ignored: [] };
/** For an address literal: an IP address names a host, not a provider, so nothing says how a tag is written and none is cut. */
const LITERAL: LocalPartRule = { ...GENERIC, tagSeparator: null };

/** Makes the stored form from an unquoted local part in NFC and a readable domain. */
export function canonicalize(localPart: string, domain: string): Normalized {
  const { isLiteral, found, rule, folded, base, tag } = splitTag(localPart, domain);
  const { local, changes: folds } = foldCharacters(base, rule);
  // Folds again: without a dot, a letter and an accent can combine, and two words become one.
  const canonical = { localPart: quoted(foldCase(local)), domain: found?.domain ?? domain };
  const changes: CanonicalChange[] = folded === localPart ? [] : ['case'];
  if (tag !== null) changes.push('tag');
  changes.push(...folds);
  if (canonical.domain !== domain) changes.push('domain');
  return {
    canonical: {
      address: `${canonical.localPart}@${canonical.domain}`,
      ...canonical,
      basis: isLiteral ? 'none' : found ? 'provider' : 'generic',
      changes,
    },
    subaddress: tag,
    hasDotsRemoved: changes.includes('dots'),
  };
}

function splitTag(localPart: string, domain: string) {
  const isLiteral = domain.startsWith('[');
  const found = isLiteral ? null : findMailboxRule(domain);
  const rule: LocalPartRule = found?.rule ?? (isLiteral ? LITERAL : GENERIC);
  const folded = foldCase(localPart);
  // `tag@user.fastmail.com` says what `user+tag@fastmail.com` says.
  const cut = found?.user ? { base: found.user, tag: folded } : cutTag(folded, rule.tagSeparator);
  return { isLiteral, found, rule, folded, ...cut };
}

/** The local part as it was written, dots included, but for case and without its tag: of `tag@user.fastmail.com` it is `user`. */
export function localPartWithoutTag({ localPart, domain }: Pick<Address, 'localPart' | 'domain'>): string {
  return splitTag(localPart, domain).base;
}

/** The domain of the canonical form of addresses at a domain: another one only at mailbox providers that have several. */
export function canonicalDomainOf(domain: string): string {
  return findMailboxRule(domain)?.domain ?? domain;
}

/**
 * The canonical local part that the address would have if it were written cleanly: no quotation marks, one dot between two words. A local
 * part without words, such as `"..."@example.org`, stays as it is.
 */
export function cleanLocalPart({ faults, localPart, domain, canonical }: Address): string {
  // Joined again after the tag is cut: only then is the dot of `mary.+news` out of place.
  const isClean = faults.length === 0 && !canonical.localPart.startsWith('"');
  return isClean
    ? canonical.localPart
    : joinAtoms(canonicalize(joinAtoms(localPart), domain).canonical.localPart);
}

/** Marks at both ends. Not the plus sign, which starts a tag: `+info` is a tag alone. */
const MARKS_AROUND = /^[^\p{L}\p{N}\p{M}+]+|[^\p{L}\p{N}\p{M}+]+$/gu;

/** The clean local part without marks around it (`_maria_`). */
export function wordsOf(address: Address): string {
  const clean = cleanLocalPart(address);
  return clean.replaceAll(MARKS_AROUND, '') || clean;
}

/**
 * The address as it was typed, with tag, dots, comments and names, but without differences of case and outer blanks: a form field that
 * begins with a capital makes no other spelling. For counting under a keyed hash; as personal as the address.
 */
export function spellingOf({ raw }: Pick<Address, 'raw'>): string {
  return raw.trim().toLowerCase();
}

function joinAtoms(local: string): string {
  return atomsOf(local).join('.') || local;
}

/**
 * Cuts at the first separator after the first character: the local part is never empty. `tag` is the text after the separator, perhaps
 * empty; null without a separator.
 */
export function cutTag(local: string, separator: string | null) {
  const at = separator === null ? -1 : local.indexOf(separator, 1);
  return at === -1 ? { base: local, tag: null } : { base: local.slice(0, at), tag: local.slice(at + 1) };
}

/** A local part as it stands in an address: in quotation marks where it needs them. */
export function quoted(local: string): string {
  return isDotAtom(local) ? local : `"${local.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** The inverse of `quoted`. */
export function unquoted(localPart: string): string {
  return localPart.startsWith('"') ? localPart.slice(1, -1).replaceAll(/\\(.)/gsu, '$1') : localPart;
}
