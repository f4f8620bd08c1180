import { domainToASCII } from 'node:url';
import { foldCase, withoutHidden } from '../email/characters.ts';

/**
 * The name itself, or else the nearest of its parents, that a table of lower-case names has; undefined when it has none. Cut at
 * dots alone: of `a.b.example` it looks for `a.b.example`, `b.example` and `example`.
 */
export function closestSuffix(name: string, table: { has(name: string): boolean }): string | undefined {
  for (let rest = name; ; rest = rest.slice(rest.indexOf('.') + 1)) {
    if (table.has(rest)) return rest;
    if (!rest.includes('.')) return undefined;
  }
}

/** A domain, or `.example.org`, as records hold it, however it was written: A-labels in lower case, without a dot at the end. */
export function recordedDomain(written: string): string {
  return listKey(written).replace(/\.$/, '');
}

/**
 * The form in which entries of lists and addresses are compared: without invisible characters, the local part case-folded, the domain as
 * A-labels. Text that is no domain name is compared as it stands, in lower case. Entries of one key are one entry.
 */
export function listKey(written: string): string {
  const value = withoutHidden(written);
  const at = value.lastIndexOf('@');
  const local = foldCase(value.slice(0, at + 1));
  const rest = value
    .slice(at + 1)
    .trim()
    .toLowerCase();
  const dot = rest.startsWith('.') ? '.' : '';
  const name = rest.slice(dot.length);
  // Of `x.org/y`, domainToASCII would return `x.org`, as the host of a URL.
  const isHost = name.startsWith('[') || !/[#%/:?\\]/.test(name);
  return `${local.trimStart()}${dot}${(isHost && domainToASCII(name)) || name}`;
}
