import { domainToASCII } from 'node:url';

/**
 * What an entry of a list, or an address, is compared by: lower case, NFC, the domain as an A-label. What is no domain name is
 * compared as it stands. Entries of one key are one entry, however they are written.
 */
export function listKey(value: string): string {
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
