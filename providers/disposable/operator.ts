import { domainToASCII } from 'node:url';
import type { ListEntry, Setup } from 'postern/provider-kit';

/** The operator's own word on a domain. */
export interface OperatorWord extends ListEntry {
  readonly list: 'allow' | 'deny';
}

/** What the allow and deny lists say of domains; entries that are addresses say nothing of them. */
export class Operator {
  readonly #entries = new Map<string, OperatorWord>();

  constructor({ allow, deny }: Setup['lists']) {
    for (const entry of deny) this.#add({ ...entry, list: 'deny' });
    // Last, so that it wins where both lists have the same.
    for (const entry of allow) this.#add({ ...entry, list: 'allow' });
  }

  /** The closest entry decides: the domain itself, then suffixes from the longest to the shortest. */
  wordOn(domain: string): OperatorWord | undefined {
    if (this.#entries.size === 0) return undefined;
    const own = this.#entries.get(domain);
    if (own) return own;
    for (let suffix = `.${domain}`; suffix !== ''; suffix = afterFirstLabel(suffix)) {
      const entry = this.#entries.get(suffix);
      if (entry) return entry;
    }
    return undefined;
  }

  #add(entry: OperatorWord): void {
    const value = entry.value.trim().toLowerCase();
    if (value.includes('@')) return;
    const dot = value.startsWith('.') ? '.' : '';
    const name = value.slice(dot.length);
    this.#entries.set(`${dot}${domainToASCII(name) || name}`, entry);
  }
}

/** `.a.example.com` gives `.example.com`, and `.com` nothing. */
function afterFirstLabel(suffix: string): string {
  const dot = suffix.indexOf('.', 1);
  return dot === -1 ? '' : suffix.slice(dot);
}
