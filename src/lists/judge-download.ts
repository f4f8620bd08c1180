import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { domainToASCII, fileURLToPath } from 'node:url';
import { getDomain } from 'tldts';
import { parse } from 'yaml';
import { packageRoot } from '../lib/paths.ts';
import { listKey } from '../provider-kit/domain-names.ts';
import type { ListEntry } from '../provider-kit/index.ts';
import { mergeSnapshot, type Snapshot } from './snapshot.ts';

/** A few entries that are no domains are slips of the list's maker; with more of them, the file is no list of domains. */
const MAX_STRAY_SHARE = 0.01;

/** A host name with at least two labels (RFC 1123, 2.1), underscores too; the last begins with a letter: no IPv4 address. */
const DOMAIN =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * Reads a list: one domain on a line, with `#` or `//` before a comment, or one JSON array of texts. `*@`, `@`, `*.` and `.`
 * before a domain are dropped. Anything else is no list and is refused as a whole.
 */
export function readDomainList(bytes: Buffer, contentType: string | null) {
  if (/^(?:text\/html|application\/xhtml)/i.test(contentType ?? '')) return refuse('it is HTML, not a list');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimStart();
  } catch {
    return refuse('it is no UTF-8 text');
  }
  if (text.startsWith('<')) return refuse('it is HTML or XML, not a list');
  // A line-by-line list never begins with `[` or `{`: no domain holds them.
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

function gather(entries: readonly string[]) {
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
  return { ok: true as const, domains };
}

function readEntry(entry: string): string {
  const text = entry
    .replace(/(?:#|\/\/).*$/s, '')
    .trim()
    .replace(/^(?:\*?@)?(?:\*?\.)?/, '')
    .toLowerCase();
  // A dozen entries of real lists are written in Unicode; an address is asked about by its A-labels (RFC 5890).
  return /^[!-~]*$/.test(text) ? text : domainToASCII(text) || text;
}

/** `reason` is for the operator: `it is HTML, not a list`. */
function refuse(reason: string) {
  return { ok: false as const, reason };
}

interface Group {
  readonly domains: readonly string[];
}

type CanaryKind = 'free provider' | 'relay' | 'your allow list';

/** Finds domains that must never be listed. As the provider `disposable` reads a list, an entry covers its subdomains too. */
export class Canaries {
  readonly #kinds = new Map<string, CanaryKind>();
  /** Entries of the allow list such as `.x.org`, which cover subdomains too. */
  readonly #suffixes: readonly string[];

  constructor(allowed: readonly Pick<ListEntry, 'value'>[]) {
    const table: {
      readonly free_providers: readonly Group[];
      readonly relays_that_lists_name: readonly Group[];
    } = parse(readFileSync(join(packageRoot, 'tables', 'list-canaries.yaml'), 'utf8'));
    // Relative to this file: the providers' data lie beside `src/` in a checkout, and beside `dist/src/` when built.
    const relayFile = fileURLToPath(new URL('../../providers/relay/data/relays.yaml', import.meta.url));
    const relays: readonly Group[] = parse(readFileSync(relayFile, 'utf8'));
    const named = new Set(domainsOf(table.relays_that_lists_name));
    // An entry for one address says nothing about its domain, which may be a throw-away service with one honest user.
    const own = allowed.map(({ value }) => listKey(value)).filter((key) => !key.includes('@'));
    this.#suffixes = own.filter((key) => key.startsWith('.'));
    this.#add(
      'your allow list',
      own.map((key) => key.replace(/^\./, '')),
    );
    this.#add(
      'relay',
      domainsOf(relays).filter((domain) => !named.has(domain)),
    );
    this.#add('free provider', domainsOf(table.free_providers));
  }

  /** Why the domain must never be listed; undefined where it may. */
  kindOf(domain: string): CanaryKind | undefined {
    const kind = this.#kinds.get(domain);
    if (kind || this.#suffixes.length === 0) return kind;
    return this.#suffixes.some((suffix) => domain.endsWith(suffix)) ? 'your allow list' : undefined;
  }

  /** Adds the parents up to the registered domain too: a list that names `appleid.com` covers `privaterelay.appleid.com`. */
  #add(kind: CanaryKind, domains: readonly string[]): void {
    for (const domain of domains) {
      const registered = getDomain(domain, { allowPrivateDomains: true }) ?? domain;
      let covered = domain;
      while (covered.length >= registered.length) {
        this.#kinds.set(covered, kind);
        const dot = covered.indexOf('.');
        if (dot === -1) break;
        covered = covered.slice(dot + 1);
      }
    }
  }
}

function domainsOf(groups: readonly Group[]): readonly string[] {
  return groups.flatMap(({ domains }) => domains);
}

export interface Candidate {
  readonly domains: ReadonlySet<string>;
  /** The snapshot in force; empty before the first. */
  readonly previous: Snapshot;
  /** The day when the source was last seen to hold `previous`. */
  readonly confirmed: number;
  readonly today: number;
  /** Canaries that the operator has accepted in this list; no snapshot holds them. */
  readonly leftOut: readonly string[];
  /** The operator has looked at this download: neither canaries nor a large change stop it. */
  readonly accepted: boolean;
  readonly canaries: Canaries;
  /** Per cent of the domains that may be new, and that may be gone. */
  readonly maxChangePercent: number;
}

/** Entries that may always be new or gone: in a list of twenty, a few per cent are less than one entry. */
const ALWAYS_ALLOWED = 10;
/** Canaries named in a message: enough to see what happened, on one line. */
const NAMED = 5;

/** Decides whether a list that was read without fault may be put in force. */
export function judgeDownload(candidate: Candidate) {
  const { domains, previous, today, confirmed, leftOut, accepted, canaries, maxChangePercent } = candidate;
  const found = new Map<string, CanaryKind>();
  for (const domain of domains) {
    const kind = canaries.kindOf(domain);
    if (kind) found.set(domain, kind);
  }
  // A domain of the snapshot in force was listed before it became a canary, for example by a new entry of the allow list.
  const known = (domain: string) => leftOut.includes(domain) || previous.get(domain)?.lastSeen === null;
  const news = [...found].filter(([domain]) => !known(domain));
  if (news.length > 0 && !accepted) return refuse(describeCanaries(news));

  const kept = new Set(domains);
  for (const domain of found.keys()) kept.delete(domain);
  if (kept.size === 0) return refuse('nothing is left without what must never be listed');
  const merge = mergeSnapshot(previous, kept, { today, confirmed });
  const before = merge.listed - merge.added + merge.removed;
  const allowed = Math.max(ALWAYS_ALLOWED, (before * maxChangePercent) / 100);
  if (before > 0 && !accepted && Math.max(merge.added, merge.removed) > allowed) {
    return refuse(
      `${merge.added} domains are new and ${merge.removed} gone of ${before}: over the limit of ${maxChangePercent} %`,
    );
  }
  return { ok: true as const, merge, leftOut: [...found.keys()].sort() };
}

function describeCanaries(found: readonly (readonly [string, CanaryKind])[]): string {
  const named = found.slice(0, NAMED).map(([domain, kind]) => `${domain} (${kind})`);
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : '';
  return `it names what must never be listed: ${named.join(', ')}${more}`;
}
