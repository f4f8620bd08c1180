import type { Address } from '../provider-kit/address.ts';
import { cutTag, quoted, unquoted } from './canonical.ts';
import { foldCase } from './characters.ts';
import { findMailboxRule, foldCharacters, mailHostRule } from './mailbox-providers.ts';

/**
 * What was folded beyond the canonical form, in this order: what follows a provider's separator for nicknames, dots,
 * other characters, the domain.
 */
export type OwnerClusterChange = 'nickname' | 'dots' | 'characters' | 'domain';

/** Addresses that are probably one person's, and what says so. For rules and for counting; never stored as an identity. */
export interface OwnerCluster {
  /**
   * Equal for all addresses of the cluster; not necessarily an address that takes mail. As personal as an address: it may be counted under
   * a keyed hash, but must not stand in a fact, evidence or log.
   */
  readonly key: string;
  /** What widens the cluster: nothing (the canonical form), the table's rule of the domain, or the rule of its mail host. */
  readonly basis: 'canonical' | 'provider' | 'mail_host';
  /** What lies between this address' canonical form and `key`; empty when they are the same. */
  readonly changes: readonly OwnerClusterChange[];
  /** False where the mail host would decide and is not known: the cluster may be wider. */
  readonly isSettled: boolean;
}

/**
 * The owner cluster of an address by `tables/mailbox-providers.yaml`. Pure; never throws.
 *
 * `mailHost` is the fact `mx.provider`, null where it is unknown: then own domains keep to the canonical form, and
 * addresses of one owner may fall into two clusters, never addresses of two owners into one.
 */
export function ownerCluster(
  { canonical, domainKind }: Pick<Address, 'canonical' | 'domainKind'>,
  mailHost: string | null,
): OwnerCluster {
  const { domain, address } = canonical;
  const localPart = unquoted(canonical.localPart);
  const found = findMailboxRule(domain);
  if (found) {
    const { clusterDomain, clusterSeparator } = found.rule;
    if (clusterDomain === null && clusterSeparator === null) return asCanonical(address, true);
    const { base: kept } = cutTag(localPart, clusterSeparator);
    const target = clusterDomain ?? domain;
    const changes: OwnerClusterChange[] = [];
    if (kept !== localPart) changes.push('nickname');
    if (target !== domain) changes.push('domain');
    return { key: `${quoted(kept)}@${target}`, basis: 'provider', changes, isSettled: true };
  }
  // A literal or dotless domain has no mail host whose habits are known.
  if (domainKind !== 'name') return asCanonical(address, true);
  const rule = mailHost === null ? undefined : mailHostRule(mailHost);
  if (!rule) return asCanonical(address, mailHost !== null);
  const { base: kept } = cutTag(localPart, rule.clusterSeparator);
  const { local, changes } = foldCharacters(kept, rule);
  return {
    key: `${quoted(foldCase(local))}@${domain}`,
    basis: 'mail_host',
    changes: kept === localPart ? changes : ['nickname', ...changes],
    isSettled: true,
  };
}

function asCanonical(key: string, isSettled: boolean): OwnerCluster {
  return { key, basis: 'canonical', changes: [], isSettled };
}
