import { canonicalDomainOf } from '../../email/canonical.ts';
import { registrableDomain } from '../../signals/domain-facts.ts';

export const REGISTRABLE = 'address.registrable_domain';
export const TLD = 'address.tld';

/** Facts with the domain of the canonical address: `gmail.com` for an address at `googlemail.com`. */
const CANONICAL: ReadonlySet<string> = new Set(['address.domain', REGISTRABLE]);

interface Unseen {
  readonly because: 'counts_as_another' | 'not_registered' | 'several_labels';
  /** The value that the facts have for an address at that domain; null where they are unknown. */
  readonly instead: string | null;
}

/** Why none of these facts ever has this domain; undefined where one can. A fact such as the name of a mail host can have any. */
export function whyUnseen(name: string, readers: readonly string[]): Unseen | undefined {
  const facts = name.includes('.') ? readers.filter((fact) => fact !== TLD) : readers;
  if (facts.length === 0 && readers.length > 0) {
    return { because: 'several_labels', instead: name.slice(name.lastIndexOf('.') + 1) };
  }
  if (facts.length === 0 || !facts.every((fact) => CANONICAL.has(fact))) return undefined;
  const canonical = canonicalDomainOf(name);
  if (canonical !== name) return { because: 'counts_as_another', instead: canonical };
  if (facts.some((fact) => fact !== REGISTRABLE)) return undefined;
  const registrable = registrableDomain(name);
  return registrable === name ? undefined : { because: 'not_registered', instead: registrable };
}
