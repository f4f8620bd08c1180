import { DomainTable, LINE_END } from './domain-table.ts';

/** Whose domains are not taken for throw-away services on the word of one list. */
export interface Established {
  /** Of known firms, much visited sites, schools and universities. */
  readonly domains: DomainTable;
  /** Public suffixes under which only universities, authorities and armies register: `edu`, `edu.au`. */
  readonly suffixes: ReadonlySet<string>;
  /** The same by their first label, in every country: `ac` of `ac.uk`. */
  readonly labels: ReadonlySet<string>;
}

/** Of the registered part of a domain. */
export function isEstablished(registered: string, { domains, suffixes, labels }: Established): boolean {
  const suffix = registered.slice(registered.indexOf('.') + 1);
  const dot = suffix.indexOf('.');
  return (
    suffixes.has(suffix) ||
    (dot !== -1 && labels.has(suffix.slice(0, dot))) ||
    domains.find(registered) !== -1
  );
}

/** Reads the text form: lines that begin with `#from` tell the sources, all others are domains. */
export function readDomains(text: Buffer): { readonly domains: DomainTable; readonly size: number } {
  const starts: number[] = [];
  for (let from = 0; from < text.length; from = text.indexOf(LINE_END, from) + 1) {
    if (text[from] !== '#'.charCodeAt(0)) starts.push(from);
  }
  const domains = new DomainTable(text, starts.length);
  for (const start of starts) domains.add(start);
  return { domains, size: starts.length };
}
