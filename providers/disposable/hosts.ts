import { getDomain, parse } from 'tldts';
import type { Host } from './snapshot.ts';

const PRIVATE = { allowPrivateDomains: true };

/** What may have handed a subdomain out. */
export interface HostOfDomain {
  readonly host: string;
  readonly kind: Host['kind'];
}

/**
 * Under what a domain stands, closest first: the registered domain that it is a subdomain of, and the host of the private
 * section of the Public Suffix List (`eu.org`) that gave that one out. Nothing for a domain that was registered at a
 * registry: a registry is never a host, whatever is listed under it.
 */
export function hostsOf(domain: string): readonly HostOfDomain[] {
  // Two labels have nothing above them but the registry.
  if (domain.indexOf('.') === domain.lastIndexOf('.')) return [];
  const { domain: leaf, publicSuffix, isPrivate } = parse(domain, PRIVATE);
  if (leaf === null) return [];
  const hosts: HostOfDomain[] = [];
  if (leaf !== domain) hosts.push({ host: leaf, kind: 'owner' });
  if (isPrivate && publicSuffix !== null) hosts.push({ host: publicSuffix, kind: 'suffix' });
  return hosts;
}

/** `a.b.example.co.uk` gives itself, `b.example.co.uk`, `example.co.uk`; a public suffix gives nothing. */
export function* upToRegistrable(domain: string): Generator<string> {
  const registrable = getDomain(domain, PRIVATE);
  if (registrable === null) return;
  let candidate = domain;
  while (candidate.length >= registrable.length) {
    yield candidate;
    const dot = candidate.indexOf('.');
    if (dot === -1) return;
    candidate = candidate.slice(dot + 1);
  }
}
