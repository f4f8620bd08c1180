import { domainToASCII } from 'node:url';

export type DomainListReading =
  | { readonly ok: true; readonly domains: ReadonlySet<string> }
  /** For the operator, for example `it is HTML, not a list`. */
  | { readonly ok: false; readonly reason: string };

/** A stray line is a slip of the list's maker; more of them, and this is something else than a list of domains. */
const MAX_STRAY_SHARE = 0.01;

/** A host name with at least two labels (RFC 1123, 2.1), underscores too; the last begins with a letter: no IPv4 address. */
const DOMAIN =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * Reads a list: one domain on a line, with `#` or `//` before a comment, or one JSON array of texts. `*@`, `@`, `*.` and `.`
 * before a domain say nothing more than the domain. Anything else is no list and is refused as a whole.
 */
export function readDomainList(bytes: Buffer, contentType: string | null): DomainListReading {
  if (/^(?:text\/html|application\/xhtml)/i.test(contentType ?? '')) return refuse('it is HTML, not a list');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimStart();
  } catch {
    return refuse('it is no UTF-8 text');
  }
  if (text.startsWith('<')) return refuse('it is HTML or XML, not a list');
  // A line-by-line list never begins so: `[` and `{` stand in no domain.
  const entries = /^[[{]/.test(text) ? readJson(text) : text.split('\n');
  if (typeof entries === 'string') return refuse(entries);
  return gather(entries);
}

function readJson(text: string): readonly string[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it begins like JSON and is none: cut off, perhaps';
  }
  if (!Array.isArray(value)) return 'it is JSON, but no array';
  return value.every((entry) => typeof entry === 'string')
    ? value
    : 'its JSON array holds other things than texts';
}

function gather(entries: readonly string[]): DomainListReading {
  const domains = new Set<string>();
  let written = 0;
  let stray = 0;
  let firstStray = 0;
  for (const [index, entry] of entries.entries()) {
    const domain = readEntry(entry);
    if (domain === '') continue;
    written += 1;
    if (DOMAIN.test(domain)) domains.add(domain);
    else {
      stray += 1;
      firstStray ||= index + 1;
    }
  }
  if (written === 0) return refuse('it is empty');
  if (stray > written * MAX_STRAY_SHARE || domains.size === 0) {
    return refuse(`${stray} of ${written} entries are no domains, the first is entry ${firstStray}`);
  }
  return { ok: true, domains };
}

function readEntry(entry: string): string {
  const text = entry
    .replace(/(?:#|\/\/).*$/, '')
    .trim()
    .replace(/^(?:\*?@)?(?:\*?\.)?/, '')
    .toLowerCase();
  // A dozen entries of real lists are written in Unicode; an address is asked about by its A-labels (RFC 5890).
  return /^[!-~]*$/.test(text) ? text : domainToASCII(text) || text;
}

function refuse(reason: string): DomainListReading {
  return { ok: false, reason };
}
