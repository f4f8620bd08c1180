import { DomainTable, LINE_END } from './domain-table.ts';

/** The domains that are not taken for throw-away services on the vote of one list. */
export interface Established {
  /** Domains of known firms, much visited sites, schools and universities. */
  readonly domains: DomainTable;
  /** Public suffixes under which only universities, authorities and armies register: `edu`, `edu.au`. */
  readonly suffixes: ReadonlySet<string>;
  /** First labels of such suffixes, in whichever country: `ac` of `ac.uk`. */
  readonly labels: ReadonlySet<string>;
}

/** Takes the registered part of a domain. */
export function isEstablished(registered: string, { domains, suffixes, labels }: Established): boolean {
  const suffix = registered.slice(registered.indexOf('.') + 1);
  const dot = suffix.indexOf('.');
  return (
    suffixes.has(suffix) ||
    (dot !== -1 && labels.has(suffix.slice(0, dot))) ||
    domains.find(registered) !== -1
  );
}

/** Reads the text form, which ends with a line end: lines that begin with `#`, such as `#from` and a source, are skipped, all others are domains. */
export function readDomains(text: Buffer): { readonly domains: DomainTable; readonly size: number } {
  if (text.at(-1) !== LINE_END) throw new Error('is cut off: there is no line end at its end');
  const starts: number[] = [];
  for (let from = 0; from < text.length; from = text.indexOf(LINE_END, from) + 1) {
    if (text[from] !== '#'.charCodeAt(0)) starts.push(from);
  }
  const domains = new DomainTable(text, starts.length);
  for (const start of starts) domains.add(start);
  return { domains, size: starts.length };
}
