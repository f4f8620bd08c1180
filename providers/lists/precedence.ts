import { type Address, type ListEntry, listKey } from 'postern/provider-kit';

/** Entries by their keys: `user@x.org`, `x.org` or `.x.org`. */
export type Index = ReadonlyMap<string, ListEntry>;

export function indexEntries(entries: readonly ListEntry[]): Index {
  return new Map(entries.map((entry) => [listKey(entry.value), entry]));
}

/**
 * The keys under which entries about an address may stand, closest first: the address, its domain, then suffixes from
 * the longest to the shortest. The keys of one level, of the submitted and of the canonical form, rank alike.
 */
export function levelsOf({ canonical, localPart, domain }: Address): readonly (readonly string[])[] {
  const domains = [...new Set([domain, canonical.domain])];
  return [
    [...new Set([canonical.address, listKey(`${localPart}@${domain}`)])],
    domains,
    ...suffixesOf(domains),
  ];
}

/**
 * Suffixes with equally many labels are one level; the longest come first. A suffix covers the domain itself and all
 * below it. One pass over each domain: an address can have a hundred labels and more.
 */
function suffixesOf(domains: readonly string[]): readonly (readonly string[])[] {
  const levels: string[][] = [];
  for (const domain of domains) {
    let suffix = '';
    for (const [depth, label] of domain.split('.').reverse().entries()) {
      suffix = `.${label}${suffix}`;
      const level = levels[depth];
      if (level) level.push(suffix);
      else levels.push([suffix]);
    }
  }
  return levels.reverse();
}
