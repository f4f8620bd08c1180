import type { Address } from '../provider-kit/index.ts';
import { findMailboxRule, type MailHostRule, mailHostRule } from './mailbox-providers.ts';

/** Addresses that are probably one person's, and what says so. For rules and for counting; never stored as an identity. */
export interface OwnerCluster {
  /** The same for all of them; not necessarily an address that takes mail. */
  readonly key: string;
  /** `canonical`: no wider than the canonical form. `provider`: by the table. `mail_host`: by who runs the domain's MX. */
  readonly basis: 'canonical' | 'provider' | 'mail_host';
}

/**
 * `mailHost` is the fact `mx.provider`, null where it is unknown: then own domains keep to the canonical form, and
 * addresses of one owner may fall into two clusters, never addresses of two owners into one.
 */
export function ownerCluster({ canonical, domainKind }: Address, mailHost: string | null): OwnerCluster {
  const { localPart, domain } = canonical;
  const found = findMailboxRule(domain);
  if (found) {
    const { clusterDomain, clusterSeparator } = found.rule;
    const key = `${cutAt(localPart, clusterSeparator)}@${clusterDomain ?? domain}`;
    return { key, basis: key === canonical.address ? 'canonical' : 'provider' };
  }
  const rule = mailHost === null || domainKind !== 'name' ? undefined : mailHostRule(mailHost);
  const key = rule ? `${fold(localPart, rule)}@${domain}` : canonical.address;
  return { key, basis: key === canonical.address ? 'canonical' : 'mail_host' };
}

/** Never leaves nothing: what would vanish stays as it is. */
function fold(localPart: string, { dots, ignored, clusterSeparator }: MailHostRule): string {
  let folded = cutAt(localPart, clusterSeparator);
  for (const character of ignored) folded = folded.replaceAll(character, '');
  if (dots !== 'keep') folded = folded.replaceAll('.', dots === 'remove' ? '' : '-');
  return folded === '' ? localPart : folded;
}

function cutAt(localPart: string, separator: string | null): string {
  const at = separator === null ? -1 : localPart.indexOf(separator, 1);
  return at === -1 ? localPart : localPart.slice(0, at);
}
