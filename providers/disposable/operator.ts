import { closestSuffix, type ListEntry, listKey, type Setup } from 'postern/provider-kit';

/** The operator's own word on a domain. */
export interface OperatorWord extends ListEntry {
  readonly list: 'allow' | 'deny';
}

/** What the allow and deny lists say of domains; entries that are addresses say nothing of them. */
export class Operator {
  readonly #entries = new Map<string, OperatorWord>();

  constructor({ allow, deny }: Setup['lists']) {
    for (const entry of deny) this.#entries.set(listKey(entry.value), { ...entry, list: 'deny' });
    // Last, so that it wins where both lists have the same.
    for (const entry of allow) this.#entries.set(listKey(entry.value), { ...entry, list: 'allow' });
  }

  /** The closest entry decides: the domain itself, then suffixes from the longest to the shortest. */
  wordOn(domain: string): OperatorWord | undefined {
    const own = this.#entries.get(domain);
    if (own) return own;
    const suffix = closestSuffix(domain, { has: (name) => this.#entries.has(`.${name}`) });
    return suffix === undefined ? undefined : this.#entries.get(`.${suffix}`);
  }
}
