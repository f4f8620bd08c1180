import type { Address, CanonicalChange } from '../provider-kit/index.ts';
import { DOT, isAtext, toNfc } from './characters.ts';
import { findMailboxRule, type MailboxRule } from './mailbox-providers.ts';

/** Atoms of ASCII with single dots between: what nearly every local part is. */
const ASCII_DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

export type Normalized = Pick<Address, 'canonical' | 'subaddress' | 'hasDotsRemoved'>;

/**
 * For providers without a rule of their own: the specification's canonical form strips `+tag`, RFC 5233's example
 * and by far the most common separator.
 */
const GENERIC_SEPARATOR = '+';

/** Makes the stored form from an unquoted local part in NFC and a readable domain. */
export function canonicalize(localPart: string, domain: string): Normalized {
  const folded = toNfc(localPart.toLowerCase());
  // An IP address names a host and no provider, so that nobody has said what a tag is there.
  const changes: CanonicalChange[] = folded === localPart ? [] : ['case'];
  if (domain.startsWith('[')) return present(folded, domain, { basis: 'none', changes, subaddress: null });
  const found = findMailboxRule(domain);
  if (found === null) {
    const { base, tag } = cutTag(folded, GENERIC_SEPARATOR, 1);
    if (tag !== null) changes.push('tag');
    return present(base, domain, { basis: 'generic', changes, subaddress: tag });
  }

  const { rule, user } = found;
  const { base, tag } = splitByRule(folded, rule, user);
  if (tag !== null) changes.push('tag');
  const plain = applyCharacterRule(base, rule);
  // Without its dots an address such as `...@gmail.com` would have no local part: then it stays as it is.
  const local = plain === '' ? base : plain;
  if (local !== base) {
    if (base.includes('.') && rule.dots !== 'keep') changes.push('dots');
    if (rule.ignored.some((character) => base.includes(character))) changes.push('characters');
  }
  if (found.domain !== domain) changes.push('domain');
  return present(local, found.domain, { basis: 'provider', changes, subaddress: tag });
}

/** `tag@user.fastmail.com` says what `user+tag@fastmail.com` says. */
function splitByRule(folded: string, rule: MailboxRule, user: string | null): Cut {
  if (user !== null) return { base: user, tag: folded };
  return rule.tagSeparator === null
    ? { base: folded, tag: null }
    : cutTag(folded, rule.tagSeparator, rule.minLocal);
}

interface Cut {
  readonly base: string;
  /** What stood behind the separator, which may be nothing; null without a separator. */
  readonly tag: string | null;
}

/** Cuts at the first separator that leaves at least `minLocal` characters: never an empty local part. */
function cutTag(local: string, separator: string, minLocal: number): Cut {
  const at = local.indexOf(separator, minLocal);
  return at === -1
    ? { base: local, tag: null }
    : { base: local.slice(0, at), tag: local.slice(at + separator.length) };
}

function applyCharacterRule(local: string, { dots, ignored }: MailboxRule): string {
  let result = local;
  // First what is ignored: a hyphen that stands for a dot is not among it.
  for (const character of ignored) result = result.replaceAll(character, '');
  return dots === 'keep' ? result : result.replace(/\./g, dots === 'remove' ? '' : '-');
}

interface Account extends Pick<Address['canonical'], 'basis' | 'changes'> {
  readonly subaddress: string | null;
}

function present(local: string, domain: string, { basis, changes, subaddress }: Account): Normalized {
  // Taking a dot away can bring a letter and an accent together.
  const value = toNfc(local);
  const localPart = isDotAtom(value) ? value : quote(value);
  return {
    canonical: { address: `${localPart}@${domain}`, localPart, domain, basis, changes },
    subaddress,
    hasDotsRemoved: changes.includes('dots'),
  };
}

/** Whether it can stand without quotes (RFC 5322, 3.2.3). */
function isDotAtom(local: string): boolean {
  if (ASCII_DOT_ATOM.test(local)) return true;
  let waitsForAtom = true;
  for (const character of local) {
    const code = character.codePointAt(0) ?? 0;
    if (code === DOT) {
      if (waitsForAtom) return false;
      waitsForAtom = true;
    } else {
      if (!isAtext(code)) return false;
      waitsForAtom = false;
    }
  }
  return !waitsForAtom;
}

function quote(local: string): string {
  return `"${local.replaceAll(/["\\]/g, '\\$&')}"`;
}
