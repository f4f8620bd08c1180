import { createHmac, type KeyObject } from 'node:crypto';
import type { Config } from '../app/config/config.ts';
import type { InjectionToken } from '../di.ts';
import type { Address, FactDeclaration } from '../provider-kit/index.ts';
import type { LedgerEntry } from '../rules/decision.ts';
import type { Signals } from '../signals/signals.ts';
import type { CheckRow } from '../storage/ports.ts';

/** `privacy.store_addresses`. */
export type PrivacyMode = Config['privacy']['storeAddresses'];

/** Decides which parts of an address go into a record. */
export class AddressPrivacy {
  readonly mode: PrivacyMode;
  readonly #key: KeyObject;

  constructor(mode: PrivacyMode, key: KeyObject) {
    this.mode = mode;
    this.#key = key;
  }

  /** The domain is the canonical one: the submitted one can hold a local part (`x@nick.fastmail.com` is `nick+x@fastmail.com`). */
  columns(address: Address): Pick<CheckRow, 'domain' | 'address_hmac' | 'address'> {
    if (this.mode === 'none') return { domain: null, address_hmac: null, address: null };
    return {
      domain: address.canonical.domain,
      address_hmac: this.hmac(address.canonical.address),
      address: this.mode === 'plain' ? address.raw : null,
    };
  }

  /** Hex HMAC-SHA-256: finds a person's records without the address being in them. */
  hmac(canonicalAddress: string): string {
    return hashAddress(this.#key, canonicalAddress);
  }
}

/** Hex HMAC-SHA-256, the column `address_hmac`. */
export function hashAddress(key: KeyObject, canonicalAddress: string): string {
  return createHmac('sha256', key).update(canonicalAddress).digest('hex');
}

/** Decides which parts of an address are kept, and hashes addresses. */
export const ADDRESS_PRIVACY: InjectionToken<AddressPrivacy> = Symbol('AddressPrivacy');

/** The reason in a record for a fact that was known to the decision and is kept out of the record. */
export const NOT_STORED = 'not_stored';

/** The ids of the facts whose values a record may not hold; none under `plain`. */
export function personalFacts(mode: PrivacyMode, facts: Iterable<FactDeclaration>): ReadonlySet<string> {
  const isWithheld = ({ personal }: FactDeclaration) =>
    mode === 'none' ? Boolean(personal) : mode === 'hmac' && personal === true;
  return new Set([...facts].filter(isWithheld).map(({ id }) => id));
}

/**
 * Signals as they may be recorded: outside `plain`, facts in `personal` are null, with the reason `not_stored`. `personal`
 * holds ids of facts, and of evidence as `<provider>.<member>`; evidence with the id of a fact is left out with it. Under
 * `none`, the names of hosts and domains in evidence are left out as well, and so is any part of this address's `domain`.
 */
export function withoutPersonal(
  { facts, unknown, evidence }: Pick<Signals, 'facts' | 'unknown' | 'evidence'>,
  personal: ReadonlySet<string>,
  mode: PrivacyMode,
  domain: string,
) {
  if (mode === 'plain') return { facts, unknown, evidence };
  const withheld = [...personal].filter((id) => (facts[id] ?? null) !== null);
  const shown = withoutMembers(evidence, personal);
  return {
    facts: { ...facts, ...Object.fromEntries(withheld.map((id) => [id, null])) },
    unknown: { ...unknown, ...Object.fromEntries(withheld.map((id) => [id, NOT_STORED])) },
    evidence: mode === 'none' ? withoutNames(shown, domain) : shown,
  };
}

/** Loops over the few personal ids, not over all evidence, because this runs for each check. */
function withoutMembers(evidence: Signals['evidence'], personal: ReadonlySet<string>): Signals['evidence'] {
  const shown = { ...evidence };
  for (const id of personal) {
    const dot = id.indexOf('.');
    const [provider, member] = [id.slice(0, dot), id.slice(dot + 1)];
    if (shown[provider]?.[member] === undefined) continue;
    const { [member]: _, ...others } = shown[provider];
    shown[provider] = others;
  }
  return shown;
}

/**
 * Drops text with a dot or an @ in it, at any depth: the list entry that matched, or a mail server's name, is often the
 * domain itself. Also drops text that is a part of the domain or has a longer label of it: `org` and `tempmail` together spell a
 * domain. Facts need no such care, because their texts come from a declared list.
 */
function withoutNames(evidence: Signals['evidence'], domain: string): Signals['evidence'] {
  const labels = domain.split('.').filter((label) => label.length > 3);
  const isName = (value: unknown) => {
    if (typeof value !== 'string') return false;
    const text = value.toLowerCase();
    const isPart = domain.replaceAll('-', '').includes(text) || domain.includes(text);
    return isPart || /[.@]/.test(text) || labels.some((label) => text.includes(label));
  };
  return JSON.parse(JSON.stringify(evidence), (key, value: unknown) => {
    if (/[.@]/.test(key)) return undefined;
    // A dropped item leaves a hole, which `filter` closes.
    if (Array.isArray(value)) return value.filter(() => true);
    return isName(value) ? undefined : value;
  });
}

/** The ledger as it may be recorded: what rules saw of personal facts is null. The points are untouched. */
export function ledgerWithoutPersonal(ledger: readonly LedgerEntry[], personal: ReadonlySet<string>) {
  if (personal.size === 0) return ledger;
  return ledger.map((entry) => {
    if (!('saw' in entry) || Object.keys(entry.saw).every((id) => !personal.has(id))) return entry;
    const saw = Object.entries(entry.saw).map(([id, value]) => [id, personal.has(id) ? null : value]);
    return { ...entry, saw: Object.fromEntries(saw) };
  });
}
