import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getDomain } from 'tldts';
import { parse } from 'yaml';

const require = createRequire(import.meta.url);

export const PACKAGE = 'email-providers';

const DISPOSABLE = [
  'disposable-domains/index.json',
  'disposable-email-domains-js/dist/dict/disposable_email_blocklist.json',
];

const TWO_LABELS = /^[a-z0-9-]+\.[a-z0-9-]+$/;

export interface Correction {
  /** Where it can be looked up, of what is added; of the others why. */
  readonly source?: string;
  readonly reason?: string;
  /** When it was looked through last, `YYYY-MM-DD`. */
  readonly date: string;
  readonly domains: readonly string[];
}

export interface Corrections {
  readonly add: readonly Correction[];
  readonly keep: readonly Correction[];
  readonly remove: readonly Correction[];
}

export function loadCorrections(): Corrections {
  return parse(readFileSync(new URL('./data/domains.yaml', import.meta.url), 'utf8'));
}

/** The package's list, corrected, less everything that is listed as disposable. */
export function loadFreeDomains({ add, keep, remove }: Corrections): ReadonlySet<string> {
  const listed = readList(`${PACKAGE}/all.json`);
  const candidates = [...listed, ...domainsOf(add)];
  const parents = new Map(candidates.map((domain) => [domain, parentOf(domain)]));
  const disposable = amongDisposable(new Set([...parents].flat()));
  const isDisposable = (domain: string) =>
    disposable.has(domain) || disposable.has(parents.get(domain) ?? '');
  const free = new Set([...candidates.filter((domain) => !isDisposable(domain)), ...domainsOf(keep)]);
  for (const domain of domainsOf(remove)) free.delete(domain);
  return free;
}

/** The registrable domain, where it can be another name: of two labels it is the same or none, and most have two. */
function parentOf(domain: string): string | null {
  return TWO_LABELS.test(domain) ? null : getDomain(domain, { allowPrivateDomains: true });
}

/** Those of the names that a list holds: the lists are fifteen times as long, and are not worth a set of their own. */
function amongDisposable(names: ReadonlySet<string | null>): ReadonlySet<string> {
  return new Set(DISPOSABLE.flatMap((file) => readList(file).filter((domain) => names.has(domain))));
}

/** Not by `require`, which keeps what it has read for as long as the process runs. */
function readList(file: string): readonly string[] {
  return JSON.parse(readFileSync(require.resolve(file), 'utf8'));
}

function domainsOf(corrections: readonly Correction[]): readonly string[] {
  return corrections.flatMap(({ domains }) => domains);
}

export function versionOf(name: string): string {
  const manifest: { readonly version: string } = require(`${name}/package.json`);
  return manifest.version;
}
