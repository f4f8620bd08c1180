import type { Address, CanonicalChange } from '../provider-kit/index.ts';
import { isDotAtom } from './characters.ts';
import { findMailboxRule, foldCharacters, type MailboxRule } from './mailbox-providers.ts';

export type Normalized = Pick<Address, 'canonical' | 'subaddress' | 'hasDotsRemoved'>;

/**
 * For providers without a rule of their own: the specification's canonical form strips `+tag`, RFC 5233's example
 * and by far the most common separator.
 */
const GENERIC_SEPARATOR = '+';

/** Makes the stored form from an unquoted local part in NFC and a readable domain. */
export function canonicalize(localPart: string, domain: string): Normalized {
  const folded = localPart.toLowerCase().normalize('NFC');
  // An IP address names a host and no provider, so that no provider says what a tag is there.
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
  const { local, changes: folds } = foldCharacters(base, rule);
  changes.push(...folds);
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

interface Account extends Pick<Address['canonical'], 'basis' | 'changes'> {
  readonly subaddress: string | null;
}

function present(local: string, domain: string, { basis, changes, subaddress }: Account): Normalized {
  // Taking a dot away can bring a letter and an accent together.
  const value = local.normalize('NFC');
  const localPart = isDotAtom(value) ? value : quote(value);
  return {
    canonical: { address: `${localPart}@${domain}`, localPart, domain, basis, changes },
    subaddress,
    hasDotsRemoved: changes.includes('dots'),
  };
}

function quote(local: string): string {
  return `"${local.replaceAll(/["\\]/g, '\\$&')}"`;
}
