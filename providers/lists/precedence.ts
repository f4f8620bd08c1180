import { domainToASCII } from 'node:url';
import type { Address, ListEntry } from 'postern/provider-kit';

/** Entries by their comparable form: `user@x.org`, `x.org` or `.x.org`. */
export type Index = ReadonlyMap<string, ListEntry>;

export function indexEntries(entries: readonly ListEntry[]): Index {
  return new Map(entries.map((entry) => [comparable(entry.value), entry]));
}

/**
 * The keys under which entries about an address may stand, closest first: the address, its domain, then suffixes from
 * the longest to the shortest. Keys of one level rank alike: what was submitted and what it is canonically.
 */
export function levelsOf({ canonical, localPart, domain }: Address): readonly (readonly string[])[] {
  const domains = [...new Set([domain, canonical.domain])];
  const parents = domains.flatMap(withParents);
  const depths = [...new Set(parents.map(depthOf))].sort((one, other) => other - one);
  return [
    [...new Set([canonical.address, comparable(`${localPart}@${domain}`)])],
    domains,
    ...depths.map((depth) => parents.filter((parent) => depthOf(parent) === depth).map((name) => `.${name}`)),
  ];
}

/** Lower case, NFC, the domain as an A-label; what is no domain name is compared as it stands. */
function comparable(value: string): string {
  const at = value.lastIndexOf('@');
  const local = value
    .slice(0, at + 1)
    .normalize('NFC')
    .toLowerCase();
  const rest = value
    .slice(at + 1)
    .trim()
    .toLowerCase();
  const dot = rest.startsWith('.') ? '.' : '';
  const name = rest.slice(dot.length);
  return `${local.trimStart()}${dot}${domainToASCII(name) || name}`;
}

/** A suffix covers the domain itself and all below it. */
function withParents(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

function depthOf(name: string): number {
  return name.split('.').length;
}
