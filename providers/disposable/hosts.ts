import { getDomain, parse } from 'tldts';
import type { Host } from './snapshot.ts';

const PRIVATE = { allowPrivateDomains: true };

/** Hosts under which each domain is a stranger's, and of which kind; `data/registries.yaml` tells the kinds. */
export type Registries = ReadonlyMap<string, 'sold' | 'dynamic'>;

/** A host that may have handed out a subdomain. */
export interface HostOfDomain {
  readonly host: string;
  readonly kind: Host['kind'];
}

/**
 * The hosts under which a domain stands, closest first: the registered domain that it is a subdomain of, and the host of the private
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

/**
 * The registered part of a domain: `example.co.uk` of `a.b.example.co.uk`, `stranger.mooo.com` under a registry that the Public Suffix
 * List does not have; null for a public suffix and for a registry.
 */
export function registeredPart(domain: string, registries: Registries): string | null {
  const registered = getDomain(domain, PRIVATE);
  if (registered === null || !registries.has(registered)) return registered;
  if (registered === domain) return null;
  const below = domain.slice(0, -registered.length - 1);
  return `${below.slice(below.lastIndexOf('.') + 1)}.${registered}`;
}

/** `a.b.example.co.uk` and its registered part give `a.b.example.co.uk`, `b.example.co.uk`, `example.co.uk`. */
export function* upTo(registered: string, domain: string): Generator<string> {
  for (let candidate = domain; candidate.length >= registered.length; ) {
    yield candidate;
    candidate = candidate.slice(candidate.indexOf('.') + 1);
  }
}
